#include "catalog/sign_in_failures.h"

#include <soci/soci.h>

#include <algorithm>

#include "base/clock.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/row_limits.h"

namespace coffer::catalog {
namespace {

using std::chrono::seconds;

constexpr auto kForgottenAfter = std::chrono::hours(1);

struct Failures {
  std::uint64_t count = 0;
  Timestamp last_at{};
};

Failures select(soci::session& sql, const std::string& subject) {
  long long count = 0;
  long long last_at = 0;
  sql << "SELECT failures, last_at FROM sign_in_failures WHERE subject = :subject",
      soci::use(subject, "subject"), soci::into(count), soci::into(last_at);
  if (!sql.got_data()) return {};
  return {static_cast<std::uint64_t>(count), timestamp_from(last_at)};
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

void count_one(soci::session& sql, const std::string& subject, Timestamp at) {
  const long long last_at = to_column(at);
  sql << "INSERT INTO sign_in_failures (subject, failures, last_at) VALUES (:subject, 1, :at) "
         "ON CONFLICT (subject) DO UPDATE SET failures = sign_in_failures.failures + 1, "
         "last_at = excluded.last_at",
      soci::use(subject, "subject"), soci::use(last_at, "at");
}

void drop_forgotten(soci::session& sql, Timestamp at) {
  const long long before = to_column(at - kForgottenAfter);
  sql << "DELETE FROM sign_in_failures WHERE last_at < :before", soci::use(before, "before");
}

}  // namespace

Task<Result<SignInWait>> SignInFailures::begin_attempt(std::vector<SignInLimit> limits) {
  const Turn turn = Turn::of(limits.back().subject);
  auto job = [&](soci::session& sql) -> Result<SignInWait> {
    const Timestamp at = now();
    drop_forgotten(sql, at);
    SignInWait wait;
    for (const SignInLimit& limit : limits) {
      const seconds left = left_to_wait(limit, select(sql, limit.subject), at);
      if (left > wait.time) wait = {left, limit.subject};
    }
    if (wait.time > seconds(0)) return wait;
    for (const SignInLimit& limit : limits) count_one(sql, limit.subject, at);
    return wait;
  };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<void>> SignInFailures::forget_beyond(std::size_t most) {
  auto job = [most](soci::session& sql) -> Result<void> {
    drop_forgotten(sql, now());
    drop_beyond(sql, "sign_in_failures", "subject", "failures, last_at, subject", most);
    return {};
  };
  co_return co_await database_.run(Lane::ordered, Turn::server(), std::move(job));
}

Task<Result<void>> SignInFailures::succeeded(std::vector<std::string> cleared,
                                             std::vector<std::string> eased) {
  const Turn turn = Turn::of(eased.empty() ? cleared.back() : eased.back());
  auto job = [&](soci::session& sql) -> Result<void> {
    for (const std::string& subject : cleared) {
      sql << "DELETE FROM sign_in_failures WHERE subject = :subject", soci::use(subject, "subject");
    }
    for (const std::string& subject : eased) {
      sql << "UPDATE sign_in_failures SET failures = failures - 1 "
             "WHERE subject = :subject AND failures > 0",
          soci::use(subject, "subject");
    }
    return {};
  };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

}  // namespace coffer::catalog
