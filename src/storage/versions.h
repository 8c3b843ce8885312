#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"
#include "storage/reader.h"
#include "storage/writer.h"

namespace coffer::storage {

using VersionId = StrongId<struct VersionTag, std::int64_t>;

/// A content that a file had before another one replaced it.
struct PastVersion {
  VersionId id;
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};  ///< The file's modification time when it had this content.
  Timestamp replaced_at{};
  Author by;  ///< Who replaced it.
};

/// A version and the path of the file that it is of.
struct VersionOfFile {
  Path file;
  PastVersion version;
};

/// The result of Versions::restore.
struct Restored {
  Entry entry;                    ///< The file afterwards.
  std::uint64_t freed_bytes = 0;  ///< By how much the sum of all files and versions has shrunk.
};

/// The result of Versions::expire.
struct Expired {
  std::uint64_t freed_bytes = 0;
  bool is_more = false;  ///< Another call would free more.
};

/// The versions of the files of a backend, or of a view (see Backend::beneath). Publishing over a
/// file keeps the file's old content as a version, in the same step, unless that is empty or there
/// is no room for both contents (see Backend::publish); the oldest versions beyond the number that
/// a file may have go then. Versions stay with their file when it is renamed or moved, and go when
/// it is removed. A copy has none. TreeSize::version_bytes counts them.
///
/// Errors of all calls: those of Backend, and `not_found` if there is no such version in the view.
/// After a failure all is as it was. Safe from any thread.
class Versions {
 public:
  virtual ~Versions() = default;

  /// Returns true if replaced contents are kept at present.
  virtual bool are_kept() const = 0;
  /// Returns the versions of a file, the one that was replaced last first; `invalid` for a folder.
  virtual Task<Result<std::vector<PastVersion>>> list(const Path& file) = 0;
  virtual Task<Result<VersionOfFile>> find(VersionId id) = 0;
  /// Opens the content of a version. The reader's entry has the name of the file.
  virtual Task<Result<std::unique_ptr<Reader>>> open(VersionId id) = 0;
  /// Gives the file the content of its version again, and its modification time. The content that
  /// the file had becomes a version, unless it is empty or the same. `not_found` if the version is
  /// not one of the file at this path; `changed` as WriteOptions::replaces says. Uses no other
  /// options but `by`. Calls `may_show` just before the content changes.
  virtual Task<Result<Restored>> restore(const Path& file, VersionId id,
                                         const WriteOptions& options, MayShow may_show) = 0;
  /// Removes a version of the file at this path, and returns its size. Calls `may_show` as before.
  virtual Task<Result<std::uint64_t>> remove(const Path& file, VersionId id, MayShow may_show) = 0;

  // Of all files of the backend, also outside of a view:

  /// Returns the size of all versions.
  virtual Task<Result<std::uint64_t>> total_bytes() = 0;
  /// Removes versions, those first that were replaced first, until at least `bytes` are freed or
  /// none is left. Returns how many bytes were freed.
  virtual Task<Result<std::uint64_t>> free_up(std::uint64_t bytes) = 0;
  /// Removes some of the versions that were replaced before `before` or are more than a file or all
  /// files together may have.
  virtual Task<Result<Expired>> expire(Timestamp before) = 0;
};

}  // namespace coffer::storage
