#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/names.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

class Database;

/// The versions of the files of ObjectNames, in the catalog. Who deletes a row holds the lock of
/// the whole tree alone, or that of the file's path (see ObjectNames), so a file's figures are
/// right for whoever holds either.
class KeptVersions final : public storage::NameVersions {
 public:
  /// `draw_id` returns an id that no node, content or version has had.
  using DrawId = std::function<Task<Result<std::int64_t>>()>;
  /// Called with a tree of which it is not known whether a change was made (`in_doubt`).
  using NoteDoubt = std::function<void(storage::NameTreeId)>;
  KeptVersions(Database& database, DrawId draw_id, NoteDoubt note_doubt)
      : database_(database), draw_id_(std::move(draw_id)), note_doubt_(std::move(note_doubt)) {}

  /// Sets how many versions each file may have from now on; 0: replaced contents are not kept.
  void keep(std::size_t of_file) { of_file_ = of_file; }
  std::size_t of_file() const { return of_file_; }

  bool are_kept() const override { return of_file_ > 0; }
  Task<Result<std::vector<storage::PastVersion>>> list(storage::NameTreeId tree,
                                                       const Path& file) override;
  Task<Result<storage::VersionOfFile>> find(storage::NameTreeId tree,
                                            storage::VersionId id) override;
  Task<Result<storage::NamedFile>> open(storage::NameTreeId tree, storage::VersionId id) override;
  Task<Result<storage::Restored>> restore(storage::NameTreeId tree, const Path& file,
                                          storage::VersionId id,
                                          const storage::WriteOptions& options) override;
  Task<Result<std::uint64_t>> remove(storage::NameTreeId tree, const Path& file,
                                     storage::VersionId id) override;
  Task<Result<std::uint64_t>> total_bytes(storage::NameTreeId tree) override;
  Task<Result<std::uint64_t>> free_up(storage::NameTreeId tree, std::uint64_t bytes) override;
  Task<Result<storage::Expired>> expire(storage::NameTreeId tree, Timestamp before) override;
  /// Call it when so many versions were added to a tree. Now and then removes the oldest if the
  /// tree has more than kMostVersions. Returns the bytes freed.
  Task<std::uint64_t> hold_bound(storage::NameTreeId tree, std::size_t added);

 private:
  template <class F>
  Task<std::invoke_result_t<F, sql::Connection&>> change(storage::NameTreeId tree, F job);

  Database& database_;
  const DrawId draw_id_;
  const NoteDoubt note_doubt_;
  std::atomic<std::size_t> of_file_ = 0;
  std::mutex mutex_;
  std::map<storage::NameTreeId, std::size_t> added_;  ///< Since the last look.
};

}  // namespace coffer::catalog
