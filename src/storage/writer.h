#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "storage/entry.h"
#include "storage/spool.h"

namespace coffer::storage {

/// What publishing does if a file already has the name. A folder is never replaced.
enum class IfTaken : std::uint8_t {
  replace,  ///< The new content atomically replaces the file.
  refuse,   ///< Publishing fails with `exists`.
};

/// Who writes a file, for people.
struct Author {
  std::string account;  ///< The name of the account; empty for the server itself.
  std::string key;      ///< The id of the API key or share link that was used, if any.

  bool operator==(const Author&) const = default;
};

struct WriteOptions {
  IfTaken if_taken = IfTaken::replace;
  /// If set, the new content must replace a file in this state. `changed` if the file has another
  /// state or is missing. If a remote server cannot check and replace atomically, the backend
  /// checks just before it replaces.
  std::optional<FileVersion> replaces = {};
  /// The modification time for the new file (see `known`). Ignored if the backend, its disk or its
  /// server cannot set it.
  std::optional<Timestamp> modified_at = {};
  /// The time of creation for the new file. Ignored if the backend cannot set it, as on a disk.
  std::optional<Timestamp> created_at = {};
  /// True for a copy, whose source may be sparse: blocks of zeros may become holes of the file.
  bool may_have_holes = false;
  /// The exact size of the content, if it is known. Some remote servers need the size before the
  /// content. If the size is missing, their backends have to collect the content first.
  std::optional<std::uint64_t> size_bytes = {};
  /// Called before such a backend has collected so many bytes of the content on this machine's
  /// disk; an error ends the upload. Empty: any number may be collected.
  std::function<Task<Result<void>>(std::uint64_t bytes)> may_collect = {};
  /// True if the target is in a hidden tree to which only the caller writes, and to each name only
  /// once. A backend may then collect the content under the target's own name. Publishing then only
  /// finishes the content and checks nothing else. A destroyed writer may leave its content behind.
  /// The caller must check the files at the end, and must remove the tree after a failure.
  bool out_of_sight = false;
  /// Where versions are kept, what is replaced becomes one that names its author. Without an author
  /// it does not.
  Author by = {};
};

/// Checks whether `options` allow a new file to take its name. `old` is the file that has the name;
/// nullopt if the name is free. `exists` or `changed` if the file must not be replaced.
Result<void> check_taken(const WriteOptions& options, const std::optional<FileVersion>& old);

/// The result of publishing one writer.
struct Published {
  std::uint64_t size_bytes = 0;  ///< The size of the new file.
  /// The bytes that became free: the size of the replaced file, unless its content stays as a
  /// version, and the sizes of earlier versions that went. 0 if there was no file.
  std::uint64_t replaced_bytes = 0;
  bool replaced = false;
};

/// New content for one file, invisible until Backend::publish publishes it. If a writer is
/// destroyed before it is published, its content is removed (but see WriteOptions::out_of_sight).
/// Not safe for concurrent calls.
class Writer {
 public:
  virtual ~Writer() = default;

  /// Appends all of `data`. `disk_full` if there is no space left; `failed` if the disk is broken.
  virtual Task<Result<void>> write(std::span<const std::byte> data) = 0;
  virtual std::uint64_t written_bytes() const = 0;
  /// Makes the bytes of a synced spool file the whole content without copying them, by a hard link
  /// to a file on the same disk, or by taking over its objects in the same store. `write` must not
  /// be called then, and the file must not be written to after publishing. Does nothing and returns
  /// false if that is not possible, as for most backends. The file must outlive the call only.
  virtual Task<Result<bool>> adopt(SpoolFile& /*file*/) { co_return false; }
  /// Returns the partial name under which the content is collected beside the target. Empty if the
  /// backend has a staging folder.
  virtual std::string_view staged_name() const { return {}; }

  /// Completes the content. A durable backend also syncs the content to the disk. Frees
  /// descriptors, connections and memory, so that many finished writers can be published together
  /// later. Publishing calls `finish` for writers that are not finished.
  virtual Task<Result<void>> finish() = 0;

  /// Returns the identity that the published file will have; an unknown one if the backend does not
  /// know it. Must be called between `finish` and publishing.
  virtual Task<ItemIdentity> identity() { co_return ItemIdentity(); }

  /// Discards the content. After this call, the writer sends nothing more to a remote server, so
  /// that the caller can remove the target's folder. The caller must then destroy the writer.
  virtual Task<void> abandon() { co_return; }

  /// Returns the state that the file had when it was published; nullopt if the backend does not
  /// know this state for certain. Must be called after publishing.
  virtual Task<std::optional<FileVersion>> shown_version() { co_return std::nullopt; }

  /// Called after publishing has failed. Returns how the new file was published if it stays, since
  /// the disk cannot take it back; nullopt otherwise. A writer whose file stays cannot be published
  /// again.
  virtual std::optional<Published> stayed() const { return std::nullopt; }
};

/// The total growth of a tree when several files are published.
class Growth {
 public:
  void add(const Published& one) {
    added_bytes_ += one.size_bytes;
    freed_bytes_ += one.replaced_bytes;
  }
  bool is_within(std::uint64_t limit_bytes) const {
    return added_bytes_ <= freed_bytes_ || added_bytes_ - freed_bytes_ <= limit_bytes;
  }

 private:
  std::uint64_t added_bytes_ = 0;
  std::uint64_t freed_bytes_ = 0;
};

}  // namespace coffer::storage
