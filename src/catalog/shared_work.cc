#include "catalog/shared_work.h"

#include <utility>

#include "base/clock.h"
#include "base/id.h"
#include "catalog/database.h"
#include "sql/connection.h"

namespace coffer::catalog {

std::string mark_fact_of(const ShareId& share) {
  return "mark of share " + share.value;
}

bool SharedWork::has_others() const {
  return database_.is_shared();
}

Task<Result<bool>> SharedWork::take(std::string name, std::chrono::seconds period) {
  if (!database_.is_shared()) co_return true;
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    return sql.change(
               "INSERT INTO jobs (name, due_at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET "
               "due_at = excluded.due_at WHERE jobs.due_at <= $3",
               name, now() + period, now()) > 0;
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<std::string>> SharedWork::agree_on(std::string name, std::string fact) {
  auto job = [&](sql::Connection& sql) -> Result<std::string> {
    sql.run("INSERT INTO shared_facts (name, fact) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            name, fact);
    return sql.only<std::string>("SELECT fact FROM shared_facts WHERE name = $1", name);
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<std::optional<std::string>>> SharedWork::known(std::string name) {
  auto job = [&](sql::Connection& sql) -> Result<std::optional<std::string>> {
    return sql.value<std::string>("SELECT fact FROM shared_facts WHERE name = $1", name);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> SharedWork::set(std::string name, std::string fact) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run(
        "INSERT INTO shared_facts (name, fact) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET "
        "fact = excluded.fact",
        name, fact);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
