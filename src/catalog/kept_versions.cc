#include "catalog/kept_versions.h"

#include "catalog/database.h"
#include "catalog/tree_changes.h"
#include "catalog/version_rows.h"
#include "sql/connection.h"

namespace coffer::catalog {

using storage::NameTreeId;
using storage::PastVersion;
using storage::VersionId;

template <class F>
Task<std::invoke_result_t<F, sql::Connection&>> KeptVersions::change(NameTreeId tree, F job) {
  auto done = co_await database_.run(Lane::names, Turn::of_tree(tree.value), std::move(job));
  if (!done && done.error().code == ErrorCode::in_doubt) note_doubt_(tree);
  co_return done;
}

Task<Result<std::vector<PastVersion>>> KeptVersions::list(NameTreeId tree, const Path& file) {
  auto job = [&](sql::Connection& sql) { return list_versions(sql, tree, file); };
  co_return co_await database_.run(Lane::read, Turn::of_tree(tree.value), std::move(job));
}

Task<Result<storage::VersionOfFile>> KeptVersions::find(NameTreeId tree, VersionId id) {
  auto job = [&](sql::Connection& sql) { return find_version(sql, tree, id); };
  co_return co_await database_.run(Lane::read, Turn::of_tree(tree.value), std::move(job));
}

Task<Result<storage::NamedFile>> KeptVersions::open(NameTreeId tree, VersionId id) {
  auto job = [&](sql::Connection& sql) { return open_version(sql, tree, id); };
  co_return co_await database_.run(Lane::read, Turn::of_tree(tree.value), std::move(job));
}

Task<Result<storage::Restored>> KeptVersions::restore(NameTreeId tree, const Path& file,
                                                      VersionId id,
                                                      const storage::WriteOptions& options) {
  CO_TRY(const auto new_id, co_await draw_id_());
  auto job = [&](sql::Connection& sql) {
    return restore_version(sql, tree, file, id, options, VersionId{new_id});
  };
  co_return co_await change(tree, std::move(job));
}

Task<Result<std::uint64_t>> KeptVersions::remove(NameTreeId tree, const Path& file, VersionId id) {
  auto job = [&](sql::Connection& sql) { return remove_version(sql, tree, file, id); };
  co_return co_await change(tree, std::move(job));
}

Task<Result<std::uint64_t>> KeptVersions::total_bytes(NameTreeId tree) {
  auto job = [&](sql::Connection& sql) -> Result<std::uint64_t> {
    return sql.only<std::uint64_t>(
        "SELECT CAST(coalesce(sum(size_bytes), 0) AS BIGINT) FROM versions WHERE tree = $1", tree);
  };
  co_return co_await database_.run(Lane::read, Turn::of_tree(tree.value), std::move(job));
}

Task<Result<std::uint64_t>> KeptVersions::free_up(NameTreeId tree, std::uint64_t bytes) {
  std::uint64_t freed = 0;
  while (freed < bytes) {
    auto job = [&](sql::Connection& sql) -> Result<std::uint64_t> {
      return free_oldest(sql, tree, bytes - freed);
    };
    const auto more = co_await change(tree, std::move(job));
    if (!more && freed == 0) co_return std::unexpected(more.error());
    if (!more || *more == 0) break;  // The caller has to count what was freed.
    freed += *more;
  }
  co_return freed;
}

Task<Result<storage::Expired>> KeptVersions::expire(NameTreeId tree, Timestamp before) {
  // Where there are none, nobody has to wait for the lock.
  CO_TRY(const auto bytes, co_await total_bytes(tree));
  if (bytes == 0) co_return storage::Expired();
  auto job = [&](sql::Connection& sql) -> Result<storage::Expired> {
    return expire_versions(sql, tree, before, of_file_);
  };
  co_return co_await change(tree, std::move(job));
}

Task<std::uint64_t> KeptVersions::hold_bound(NameTreeId tree, std::size_t added) {
  constexpr std::size_t kBetweenLooks = 200;
  {
    const std::lock_guard lock(mutex_);
    if ((added_[tree] += added) < kBetweenLooks) co_return 0;
    added_.erase(tree);
  }
  auto job = [&](sql::Connection& sql) -> Result<std::uint64_t> {
    lock_tree(sql, tree, TreeLock::alone, {});
    return drop_excess_of_tree(sql, tree);
  };
  const auto freed = co_await change(tree, std::move(job));
  co_return freed.value_or(0);
}

}  // namespace coffer::catalog
