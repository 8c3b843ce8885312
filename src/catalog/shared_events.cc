#include "catalog/shared_events.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/random.h"
#include "catalog/database.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

/// How long ago an event may have been noted that is only now to be seen: its transaction may have
/// taken some time, and clocks differ a little.
constexpr std::chrono::seconds kWindow{5};
constexpr std::chrono::seconds kKept{20};

/// What `news` returns: the kind, an id, an account, a path and a version. $1 is this server's run,
/// and $2 the time since when events are new.
enum class Kind : std::int64_t { folder, task, usage };
constexpr std::string_view kNews =
    "WITH watched AS (SELECT DISTINCT account_id FROM watched_folders WHERE run = $1) "
    "SELECT 0, id, account_id, path, 0 FROM folder_events WHERE run <> $1 AND at > $2 "
    "AND account_id IN (SELECT account_id FROM watched) "
    "UNION ALL SELECT 1, id, account_id, '', 0 FROM tasks WHERE run <> $1 AND updated_at > $2 "
    "AND account_id IN (SELECT account_id FROM watched) "
    "UNION ALL SELECT 2, '', account_id, '', version FROM quota_usage "
    "WHERE account_id IN (SELECT account_id FROM watched)";

/// `noted` is what the database has of this server; nullopt if that is not known.
void note_watched(sql::Connection& sql, const std::string& node, const WatchedFolders& own,
                  const std::optional<WatchedFolders>& noted) {
  if (!noted) sql.run("DELETE FROM watched_folders WHERE run = $1", node);
  for (const WatchedFolder& folder : noted.value_or(WatchedFolders())) {
    if (own.contains(folder)) continue;
    sql.run("DELETE FROM watched_folders WHERE run = $1 AND account_id = $2 AND path = $3", node,
            folder.account, folder.path);
  }
  for (const WatchedFolder& folder : own) {
    if (noted && noted->contains(folder)) continue;
    sql.run(
        "INSERT INTO watched_folders (run, account_id, path) SELECT CAST($1 AS TEXT), id, "
        "CAST($3 AS TEXT) FROM accounts WHERE id = $2",
        node, folder.account, folder.path);
  }
}

void note_changed(sql::Connection& sql, const std::string& node, const WatchedFolders& changed) {
  sql.run("DELETE FROM folder_events WHERE at < $1", now() - kKept);
  for (const WatchedFolder& folder : changed) {
    sql.run("INSERT INTO folder_events (id, run, account_id, path, at) VALUES ($1, $2, $3, $4, $5)",
            random_hex(8), node, folder.account, folder.path, now());
  }
}

WatchedFolders watched_by_others(sql::Connection& sql, const std::string& node) {
  WatchedFolders folders;
  for (const sql::Row& row :
       sql.query("SELECT DISTINCT account_id, path FROM watched_folders WHERE run <> $1", node)) {
    folders.insert({row.get<AccountId>(0), row.get<Path>(1)});
  }
  return folders;
}

}  // namespace

bool SharedEvents::are_needed() const {
  return database_.is_shared();
}

Task<Result<WatchedFolders>> SharedEvents::exchange(const WatchedFolders& own,
                                                    const WatchedFolders& changed) {
  const std::string& node = database_.node();
  const auto noted = std::exchange(noted_, {});  // A failure may have noted it or not.
  const bool is_noted = noted == own;
  auto job = [&](sql::Connection& sql) -> Result<WatchedFolders> {
    if (!is_noted) note_watched(sql, node, own, noted);
    if (!changed.empty()) note_changed(sql, node, changed);
    return watched_by_others(sql, node);
  };
  const Lane lane = is_noted && changed.empty() ? Lane::read : Lane::write;
  CO_TRY(auto watched, co_await database_.run(lane, Turn::server(), std::move(job)));
  noted_ = own;
  co_return watched;
}

Task<Result<NewsOfOthers>> SharedEvents::news() {
  std::set<std::string> told;
  std::set<std::pair<std::int64_t, std::int64_t>> usages;
  const Timestamp begun = now();
  if (noted_ && noted_->empty()) {  // So no account is watched here.
    told_until_ = begun;
    told_.clear();
    usages_.clear();
    co_return NewsOfOthers();
  }
  auto job = [&](sql::Connection& sql) -> Result<NewsOfOthers> {
    const Timestamp since = std::max(std::min(told_until_, begun) - kWindow, begun - kKept);
    NewsOfOthers news;
    for (const sql::Row& row : sql.query(kNews, database_.node(), since)) {
      const auto kind = static_cast<Kind>(row.get<std::int64_t>(0));
      const auto account = row.get<AccountId>(2);
      if (kind == Kind::folder) {
        const auto& id = *told.insert(row.get<std::string>(1)).first;
        if (!told_.contains(id)) news.folders.insert({account, row.get<Path>(3)});
      } else if (kind == Kind::task) {
        news.tasks.emplace_back(account, row.get<TaskId>(1));
      } else {
        const auto usage = std::pair(account.value, row.get<std::int64_t>(4));
        usages.insert(usage);
        if (!usages_.contains(usage)) news.usages.push_back(account);
      }
    }
    return news;
  };
  CO_TRY(auto news, co_await database_.run(Lane::read, Turn::server(), std::move(job)));
  told_until_ = begun;
  told_ = std::move(told);
  usages_ = std::move(usages);
  co_return news;
}

}  // namespace coffer::catalog
