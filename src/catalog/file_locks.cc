#include "catalog/file_locks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "catalog/audit.h"
#include "catalog/cached_rows.h"
#include "catalog/database.h"
#include "catalog/row_limits.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::FileLock> {
  using R = catalog::FileLock;
  static constexpr std::string_view kName = "file_locks";
  static constexpr auto kColumns = std::tuple{
      Column{"token", &R::token},
      Column{"root", &R::root},
      Column{"place", &R::place},
      Column{"account_id", &R::account},
      Column{"account_name", &R::account_name},
      Column{"key_id", &R::key},
      Column{"is_deep", &R::is_deep},
      Column{"is_shared", &R::is_shared},
      Column{"gives_way", &R::gives_way},
      Column{"owner", &R::owner},
      Column{"created_at", &R::created_at},
      Column{"expires_at", &R::expires_at},
  };
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

using Found = FileLocks::Found;

std::vector<FileLock> select_of(sql::Connection& sql, const std::string& root) {
  static const std::string kText = "SELECT " + sql::columns<FileLock>() +
                                   " FROM file_locks WHERE root = $1 ORDER BY place, token";
  return sql::select<FileLock>(sql, kText, root);
}

Found select_cached(sql::Connection& sql, const std::string& root) {
  return std::make_shared<const std::vector<FileLock>>(select_of(sql, root));
}

bool overlap(const FileLock& there, const FileLock& wanted) {
  return covers(there, wanted.place) || covers(wanted, there.place);
}

bool is_in_the_way(const FileLock& there, const FileLock& wanted) {
  return !(there.is_shared && wanted.is_shared) && overlap(there, wanted);
}

bool ends_for(const FileLock& there, const FileLock& wanted) {
  if (!there.gives_way || !wanted.gives_way) return there.gives_way;
  return there.is_shared && there.account == wanted.account;
}

void delete_lock(sql::Connection& sql, const std::string& token) {
  sql.run("DELETE FROM file_locks WHERE token = $1", token);
}

std::unexpected<Error> locked_by(const FileLock& lock) {
  return fail(ErrorCode::locked, fmt::format("The item is locked by {} since {} (UTC).",
                                             lock.account_name, format_timestamp(lock.created_at)));
}

std::unexpected<Error> no_such_lock() {
  return fail(ErrorCode::not_found, "There is no such lock.");
}

void drop_expired(sql::Connection& sql) {
  sql.run("DELETE FROM file_locks WHERE expires_at <= $1", now());
}

}  // namespace

bool is_place_within(std::string_view place, std::string_view folder) {
  if (!place.starts_with(folder)) return false;
  return place.size() == folder.size() || place[folder.size()] == '/';
}

bool covers(const FileLock& lock, std::string_view place) {
  return lock.place == place || (lock.is_deep && is_place_within(place, lock.place));
}

class FileLocks::Impl {
 public:
  explicit Impl(Database& used) : database(used), rows(used, Generation::locks, select_cached) {}

  /// Runs a change of locks. All of them run one after another, in all servers.
  template <class Job>
  auto change(Turn turn, Job job) {
    auto whole = [job = std::move(job)](sql::Connection& sql) mutable {
      bump(sql, Generation::locks);
      return job(sql);
    };
    return database.run(Lane::write, turn, std::move(whole));
  }

  Database& database;
  CachedRows<std::string, std::vector<FileLock>> rows;
};

FileLocks::FileLocks(Database& database) : impl_(std::make_unique<Impl>(database)) {}

FileLocks::~FileLocks() = default;

Found FileLocks::find_now(const std::string& root) {
  return impl_->rows.find_now(root);
}

Task<Result<Found>> FileLocks::find(std::string root) {
  auto job = [&](sql::Connection& sql) -> Result<Found> { return impl_->rows.find(sql, root); };
  co_return co_await impl_->database.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> FileLocks::take(FileLock lock) {
  const AccountId account = lock.account;
  auto job = [&lock](sql::Connection& sql) -> Result<void> {
    drop_expired(sql);
    std::size_t of_item = 0;
    for (const FileLock& there : select_of(sql, lock.root)) {
      const bool meets = is_in_the_way(there, lock);
      // Also two shared ones: what gives way must not stand beside what does not.
      const bool yields = there.gives_way && !lock.gives_way && overlap(there, lock);
      if (yields || (meets && ends_for(there, lock))) {
        delete_lock(sql, there.token);
        continue;
      }
      if (meets) return locked_by(there);
      if (there.place == lock.place) ++of_item;
    }
    if (of_item >= kMostLocksOfItem) {
      return fail(ErrorCode::rate_limited, "The item has too many locks.");
    }
    TRY_VOID(check_rows(sql, "file_locks WHERE account_id = $1", lock.account, kMostLocks,
                        "locks: end some"));
    sql::run_insert(sql, lock);
    return {};
  };
  co_return co_await impl_->change(account, std::move(job));
}

Task<Result<FileLock>> FileLocks::refresh(AccountId account, std::string token,
                                          Timestamp expires_at) {
  auto job = [&](sql::Connection& sql) -> Result<FileLock> {
    drop_expired(sql);
    sql.run("UPDATE file_locks SET expires_at = $1 WHERE token = $2 AND account_id = $3",
            expires_at, token, account);
    static const std::string kText = "SELECT " + sql::columns<FileLock>() +
                                     " FROM file_locks WHERE token = $1 AND account_id = $2";
    auto lock = sql::select_first<FileLock>(sql, kText, token, account);
    if (!lock) return no_such_lock();
    return *std::move(lock);
  };
  co_return co_await impl_->change(account, std::move(job));
}

Task<Result<void>> FileLocks::release(AccountId account, std::string token) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    drop_expired(sql);
    const auto there = sql.first(
        "SELECT token FROM file_locks WHERE token = $1 AND account_id = $2", token, account);
    if (!there) return no_such_lock();
    delete_lock(sql, token);
    return {};
  };
  co_return co_await impl_->change(account, std::move(job));
}

Task<Result<FileLock>> FileLocks::find_by_token(std::string token) {
  auto job = [&](sql::Connection& sql) -> Result<FileLock> {
    static const std::string kText = "SELECT " + sql::columns<FileLock>() +
                                     " FROM file_locks WHERE token = $1 AND expires_at > $2";
    auto lock = sql::select_first<FileLock>(sql, kText, token, now());
    if (!lock) return no_such_lock();
    return *std::move(lock);
  };
  co_return co_await impl_->database.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> FileLocks::break_lock(AccountId by, FileLock lock, std::string where,
                                         std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    // In the order in which the removal of an account takes both.
    catalog::lock(sql, Generation::auth);
    bump(sql, Generation::locks);
    TRY(const auto actor, check(sql, asker));
    drop_expired(sql);
    if (sql.change("DELETE FROM file_locks WHERE token = $1", lock.token) == 0) {
      return no_such_lock();
    }
    note(sql, AuditKind::lock_broken, actor, lock.account_name,
         fmt::format("{}, locked since {}", where, format_timestamp(lock.created_at)));
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, by, std::move(job));
}

Task<Result<void>> FileLocks::forget(std::string root, std::string place) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    for (const FileLock& there : select_of(sql, root)) {
      if (is_place_within(there.place, place)) delete_lock(sql, there.token);
    }
    return {};
  };
  co_return co_await impl_->change(Turn::server(), std::move(job));
}

Task<Result<void>> FileLocks::end(std::vector<FileLock> locks) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    for (const FileLock& lock : locks) delete_lock(sql, lock.token);
    return {};
  };
  co_return co_await impl_->change(Turn::server(), std::move(job));
}

Task<Result<void>> FileLocks::forget_expired() {
  // Most servers have none, and a change makes all read their locks again.
  auto look = [](sql::Connection& sql) -> Result<bool> {
    return sql.first("SELECT token FROM file_locks WHERE expires_at <= $1", now()).has_value();
  };
  CO_TRY(const bool has_some, co_await impl_->database.run(Lane::read, Turn::server(), look));
  if (!has_some) co_return Result<void>{};
  auto job = [](sql::Connection& sql) -> Result<void> {
    drop_expired(sql);
    return {};
  };
  co_return co_await impl_->change(Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
