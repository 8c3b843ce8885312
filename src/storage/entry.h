#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace coffer::storage {

/// Identifies an item, so that a later item with the same name is recognized as another item. If
/// `born_at` is known, this works even if the later item has the same inode number.
struct ItemIdentity {
  std::uint64_t file_id = 0;  ///< See Entry::file_id.
  Timestamp born_at{};        ///< The time of creation; the epoch if it is not known.

  bool is_known() const { return file_id != 0; }
  bool operator==(const ItemIdentity&) const = default;
};

/// A file or folder. The size of a folder is 0.
struct Entry {
  std::string name;  ///< The last component, UTF-8; empty for the backend's root.
  bool is_directory = false;
  bool knows_birth = false;  ///< True if `created_at` is the time of creation.
  std::uint64_t size_bytes = 0;
  Timestamp created_at{};   ///< The modification time unless `knows_birth`.
  Timestamp modified_at{};  ///< As exact as the backend stores it.
  /// The inode number on local disks, 0 elsewhere. A file that replaces another one has a different
  /// inode. The number may be reused after the old file is gone.
  std::uint64_t file_id = 0;
  bool is_link = false;  ///< Set by `list` for a symbolic link. Other members describe its target.

  ItemIdentity identity() const { return {file_id, knows_birth ? created_at : Timestamp()}; }
};

/// Returns the bytes of memory that the entry takes.
inline std::size_t memory_of(const Entry& entry) {
  const bool is_inside = entry.name.capacity() <= std::string().capacity();
  return sizeof entry + (is_inside ? 0 : entry.name.capacity() + 1);
}

/// The items directly in a folder.
struct FolderListing {
  std::vector<Entry> entries = {};
  /// The number of items that have no entry: their names cannot be told, they are no files or
  /// folders, or the server tells of them in a form that is not understood. Hidden names
  /// (is_hidden_name) do not count.
  std::size_t left_out = 0;
  bool holds_unreadable = false;  ///< True if the content of an entry cannot be read.

  /// True if the folder can be removed without loss after all entries were copied. False if items
  /// are left out, or if there are symbolic links, whose entries describe the targets.
  bool is_whole() const {
    return left_out == 0 && !holds_unreadable && std::ranges::none_of(entries, &Entry::is_link);
  }
};

/// The state of a folder's names. The state changes when a name in the folder is added, removed or
/// given to another item. Writing to a file in the folder does not change the state.
struct FolderStamp {
  std::uint64_t device = 0;
  std::uint64_t file_id = 0;
  Timestamp changed_at{};  ///< The folder's ctime (inode(7)); the same within one clock tick.

  bool operator==(const FolderStamp&) const = default;
};

/// The size of a tree, or of a single file.
struct TreeSize {
  std::uint64_t bytes = 0;  ///< The sum over all regular files.
  std::uint64_t files = 0;
  std::uint64_t folders = 0;  ///< Includes the top folder, if the tree is a folder.
  /// The sum over the versions of these files (see Versions), which `bytes` does not include.
  std::uint64_t version_bytes = 0;

  std::uint64_t all_bytes() const { return bytes + version_bytes; }

  bool operator==(const TreeSize&) const = default;
};

/// The result of removing a tree: the tree's size.
struct Removed : TreeSize {
  Removed() = default;
  Removed(const TreeSize& size) : TreeSize(size) {}

  /// Set if the removal could not be synced to the disk: a crash may bring the item back.
  std::optional<Error> unsafe = {};
};

/// The state of a file, for a comparison with its state at another time.
struct FileVersion {
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};    ///< As exact as the backend stores it.
  std::uint64_t file_id = 0;  ///< See Entry::file_id.

  bool operator==(const FileVersion&) const = default;
};

inline FileVersion version_of(const Entry& entry) {
  return {entry.size_bytes, entry.modified_at, entry.file_id};
}

}  // namespace coffer::storage
