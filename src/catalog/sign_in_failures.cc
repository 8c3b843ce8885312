#include "catalog/sign_in_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/clock.h"
#include "catalog/database.h"
#include "catalog/row_limits.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

using std::chrono::seconds;

constexpr auto kForgottenAfter = std::chrono::hours(1);

struct Failures {
  std::uint64_t count = 0;
  Timestamp last_at{};
};

/// Returns the failures of the limits' subjects; a subject without failures may be missing.
std::map<std::string, Failures> select(sql::Connection& sql,
                                       const std::vector<SignInLimit>& limits) {
  std::string places;
  std::vector<sql::Value> subjects;
  for (const SignInLimit& limit : limits) {
    subjects.push_back(sql::to_value(limit.subject));
    places += fmt::format("{}${}", places.empty() ? "" : ", ", subjects.size());
  }
  const auto text = fmt::format(
      "SELECT subject, failures, last_at FROM sign_in_failures WHERE subject IN ({})", places);
  std::map<std::string, Failures> found;
  for (const sql::Row& row : sql.query_values(text, std::move(subjects))) {
    found[row.get<std::string>(0)] = {row.get<std::uint64_t>(1), row.get<Timestamp>(2)};
  }
  return found;
}

/// Returns the time left, rounded up; zero if it is over.
seconds left_to_wait(const SignInLimit& limit, const Failures& failures, Timestamp at) {
  if (failures.count < limit.free_failures) return seconds(0);
  const std::uint64_t doublings = std::min<std::uint64_t>(failures.count - limit.free_failures, 30);
  const seconds wait = std::min(limit.longest_wait, seconds(1LL << doublings));
  // Limits the wait in case the clock was set back.
  const auto left = std::min<Timestamp::duration>(failures.last_at + wait - at, wait);
  return std::max(seconds(0), std::chrono::ceil<seconds>(left));
}

void count_one(sql::Connection& sql, const std::string& subject, Timestamp at) {
  sql.run(
      "INSERT INTO sign_in_failures (subject, failures, last_at) VALUES ($1, 1, $2) "
      "ON CONFLICT (subject) DO UPDATE SET failures = sign_in_failures.failures + 1, "
      "last_at = excluded.last_at",
      subject, at);
}

void drop_forgotten(sql::Connection& sql, Timestamp at) {
  sql.run("DELETE FROM sign_in_failures WHERE last_at < $1", at - kForgottenAfter);
}

}  // namespace

Task<Result<SignInWait>> SignInFailures::begin_attempt(std::vector<SignInLimit> limits) {
  const Turn turn = Turn::of(limits.back().subject);
  auto job = [&](sql::Connection& sql) -> Result<SignInWait> {
    const Timestamp at = now();
    drop_forgotten(sql, at);
    auto failures = select(sql, limits);
    SignInWait wait;
    for (const SignInLimit& limit : limits) {
      const seconds left = left_to_wait(limit, failures[limit.subject], at);
      if (left > wait.time) wait = {left, limit.subject};
    }
    if (wait.time > seconds(0)) return wait;
    for (const SignInLimit& limit : limits) count_one(sql, limit.subject, at);
    return wait;
  };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<void>> SignInFailures::forget_beyond(std::size_t most) {
  auto job = [most](sql::Connection& sql) -> Result<void> {
    drop_forgotten(sql, now());
    drop_beyond(sql, "sign_in_failures", "subject", "failures, last_at, subject", most);
    return {};
  };
  co_return co_await database_.run(Lane::ordered, Turn::server(), std::move(job));
}

Task<Result<void>> SignInFailures::succeeded(std::vector<std::string> cleared,
                                             std::vector<std::string> eased) {
  const Turn turn = Turn::of(eased.empty() ? cleared.back() : eased.back());
  auto job = [&](sql::Connection& sql) -> Result<void> {
    for (const std::string& subject : cleared) {
      sql.run("DELETE FROM sign_in_failures WHERE subject = $1", subject);
    }
    for (const std::string& subject : eased) {
      sql.run(
          "UPDATE sign_in_failures SET failures = failures - 1 "
          "WHERE subject = $1 AND failures > 0",
          subject);
    }
    return {};
  };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

}  // namespace coffer::catalog
