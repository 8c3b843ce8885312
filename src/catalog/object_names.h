#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/kept_versions.h"
#include "catalog/node_counts.h"
#include "catalog/row_limits.h"
#include "catalog/turn.h"
#include "storage/names.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

class Database;
class Ledger;

/// The names of files whose contents lie in a store of objects, in the catalog. Other processes may
/// use the same catalog. The time is that of the database.
///
/// On PostgreSQL, transactions exclude each other by advisory locks ("Advisory Locks", section
/// 13.3.5 of its manual), which they take before they look: the tree's, which those share that do
/// not rename or remove a folder, and then that of each path whose item they make, replace or
/// remove, in the order of the paths. On SQLite one transaction writes at a time.
class ObjectNames final : public storage::Names {
 public:
  ObjectNames(Database& database, const Ledger& ledger)
      : database_(database),
        ledger_(ledger),
        versions_(
            database, [this] { return draw_ids(1); },
            [this](storage::NameTreeId tree) { note_doubt(tree); }) {}

  /// Makes the tree of an account, whose id it gets, for the home that names it. Does nothing if it
  /// is there. `failed` if the id or the home is that of another tree.
  Task<Result<void>> make_tree(storage::NameTreeId tree, std::string home);
  /// Returns true if the tree is there and is that of the home.
  Task<Result<bool>> has_tree(storage::NameTreeId tree, std::string home);
  /// Returns the homes that have a tree, sorted.
  Task<Result<std::vector<std::string>>> homes();
  /// Removes the tree of a home with all its files. Does nothing if there is none.
  Task<Result<void>> remove_tree(std::string home);
  /// Notes that the files of accounts have to be counted again, of which it is not known whether a
  /// change of their sizes was made (`in_doubt`), once those changes have ended. Returns true if
  /// there are any (see Ledger::uncounted). After a failure the next call tries again.
  Task<Result<bool>> note_doubtful();

  Task<Result<storage::Entry>> stat(storage::NameTreeId tree, const Path& path) override;
  Task<Result<std::vector<storage::Entry>>> list(storage::NameTreeId tree, const Path& folder,
                                                 const storage::ListingBound& bound) override;
  Task<Result<storage::NamedFile>> open(storage::NameTreeId tree, const Path& file) override;
  Task<Result<std::vector<storage::NamedFile>>> open_small(
      storage::NameTreeId tree, const Path& folder,
      std::span<const storage::ContentId> contents) override;
  Task<Result<std::unique_ptr<storage::TreeSearch>>> search(storage::NameTreeId tree,
                                                            const Path& folder,
                                                            storage::TreeQuery query) override;
  Task<Result<void>> check(storage::NameTreeId tree, const Path& target,
                           const storage::WriteOptions& options) override;
  Task<Result<std::vector<storage::Published>>> publish(storage::NameTreeId tree,
                                                        std::span<const storage::NewFile> files,
                                                        std::uint64_t growth_limit_bytes) override;
  Task<Result<void>> make_folder(storage::NameTreeId tree, const Path& top,
                                 const Path& folder) override;
  Task<Result<void>> set_times(storage::NameTreeId tree, const Path& folder, Timestamp created_at,
                               Timestamp modified_at) override;
  Task<Result<void>> rename(storage::NameTreeId tree, const Path& from, const Path& to) override;
  Task<Result<storage::TreeSize>> copy(
      storage::NameTreeId tree, const Path& from, const Path& to, std::uint64_t limit_bytes,
      std::function<Result<void>(const storage::TreeSize&)> may_commit) override;
  Task<Result<storage::TreeSize>> remove(storage::NameTreeId tree, const Path& path) override;
  Task<Result<storage::TreeSize>> measure(storage::NameTreeId tree, const Path& path) override;

  KeptVersions* versions() override { return &versions_; }

  Task<Result<storage::ContentId>> draw_content() override;
  Task<Result<std::string>> draw_object() override;
  void discard(std::vector<std::string> objects) override;
  Task<Result<bool>> take_apart_removed(std::size_t most) override;
  Task<Result<bool>> release_contents(std::size_t most) override;
  Task<Result<std::vector<std::string>>> garbage(std::chrono::seconds grace,
                                                 std::size_t most) override;
  Task<Result<void>> forget(std::span<const std::string> objects) override;
  Task<Result<void>> put_back(std::span<const std::string> objects,
                              std::chrono::seconds grace) override;

 private:
  template <class F>
  auto read(storage::NameTreeId tree, F job);
  template <class F>
  auto change(Turn turn, F job);
  /// `rate_limited` if the tree may not get so many names more.
  Task<Result<void>> check_room(storage::NameTreeId tree, std::uint64_t names);
  Task<Result<std::int64_t>> draw_ids(std::size_t count);
  Task<Result<void>> draw_objects();
  Task<Result<void>> write_discarded();
  void note_doubt(storage::NameTreeId tree);
  template <class T>
  Result<T> noting_doubt(storage::NameTreeId tree, Result<T> done);

  Database& database_;
  const Ledger& ledger_;
  KeptVersions versions_;
  NodeCounts counts_{kMostNames};
  std::mutex mutex_;
  std::int64_t next_id_ = 0;  ///< The ids from here up to `end_of_ids_` are this process's to use.
  std::int64_t end_of_ids_ = 0;
  std::vector<std::string> objects_;    ///< Those that were drawn and not given out.
  std::vector<std::string> discarded_;  ///< Those whose discarding is not written yet.
  std::set<std::int64_t> doubtful_;     ///< The trees of `note_doubtful`.
};

}  // namespace coffer::catalog
