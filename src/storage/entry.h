#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace coffer::storage {

/// Distinguishes an item from another one that gets its name or its inode later.
struct ItemIdentity {
  std::uint64_t file_id = 0;  ///< As Entry has it.
  Timestamp born_at{};        ///< The epoch if it is not known.

  bool is_known() const { return file_id != 0; }
  bool operator==(const ItemIdentity&) const = default;
};

/// One item. The size of a folder is 0.
struct Entry {
  std::string name;  ///< The last component, UTF-8; empty for the backend's root.
  bool is_directory = false;
  bool knows_birth = false;  ///< `created_at` is the time at which the item was made.
  std::uint64_t size_bytes = 0;
  Timestamp created_at{};   ///< The modification time if the backend knows no other.
  Timestamp modified_at{};  ///< In the backend's resolution.
  /// The inode on local disks, 0 elsewhere. A replaced file has another one; it may be reused once
  /// the file is gone.
  std::uint64_t file_id = 0;
  bool is_link = false;  ///< In listings: a symbolic link; the other members are its target's.

  ItemIdentity identity() const { return {file_id, knows_birth ? created_at : Timestamp()}; }
};

/// The state of a folder. It changes when a name in the folder is added, removed or given to
/// another item, not when a file in it is written.
struct FolderStamp {
  std::uint64_t device = 0;
  std::uint64_t file_id = 0;
  Timestamp changed_at{};  ///< By this machine's clock, in ticks of the kernel.

  bool operator==(const FolderStamp&) const = default;
};

/// The size of a tree; a single file is a tree of one.
struct TreeSize {
  std::uint64_t bytes = 0;  ///< Of the regular files.
  std::uint64_t files = 0;
  std::uint64_t folders = 0;  ///< The top one included, if it is a folder.

  bool operator==(const TreeSize&) const = default;
};

/// The size of a tree that was removed.
struct Removed : TreeSize {
  Removed() = default;
  Removed(const TreeSize& size) : TreeSize(size) {}

  /// The failure to sync the removal, after which a crash of the machine may bring the item back.
  std::optional<Error> unsafe = {};
};

/// The state of a file, to be compared with the state at another time.
struct FileVersion {
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};    ///< In the backend's resolution.
  std::uint64_t file_id = 0;  ///< As Entry has it.

  bool operator==(const FileVersion&) const = default;
};

inline FileVersion version_of(const Entry& entry) {
  return {entry.size_bytes, entry.modified_at, entry.file_id};
}

}  // namespace coffer::storage
