#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace coffer::storage {

/// What tells an item from another that takes its name or its inode.
struct ItemIdentity {
  std::uint64_t file_id = 0;  ///< As Entry has it.
  Timestamp born_at{};        ///< The epoch where nothing tells.

  bool is_known() const { return file_id != 0; }
  bool operator==(const ItemIdentity&) const = default;
};

/// What a backend knows of one item. For folders the size is 0.
struct Entry {
  std::string name;  ///< The last component, UTF-8; empty for the backend's root.
  bool is_directory = false;
  bool knows_birth = false;  ///< `created_at` is when the item itself was made.
  std::uint64_t size_bytes = 0;
  Timestamp created_at{};   ///< The modification time where the backend knows no better.
  Timestamp modified_at{};  ///< As fine as the backend keeps it.
  /// The inode on local disks, 0 elsewhere. It tells a replaced file, but is given out again once
  /// the file is gone.
  std::uint64_t file_id = 0;
  bool is_link = false;  ///< In listings: a symbolic link; the rest is of its target.

  ItemIdentity identity() const { return {file_id, knows_birth ? created_at : Timestamp()}; }
};

/// The state of a folder: another one once a name in it was added, removed or given to another
/// item. What is written into a file in it changes nothing here.
struct FolderStamp {
  std::uint64_t device = 0;
  std::uint64_t file_id = 0;
  Timestamp changed_at{};  ///< By the clock of this machine, up to a tick late.

  bool operator==(const FolderStamp&) const = default;
};

/// What a tree holds; a single file is a tree of one.
struct TreeSize {
  std::uint64_t bytes = 0;  ///< Of the regular files.
  std::uint64_t files = 0;
  std::uint64_t folders = 0;  ///< The top one included, if it is a folder.

  bool operator==(const TreeSize&) const = default;
};

/// What was removed and does not show any more.
struct Removed : TreeSize {
  Removed() = default;
  Removed(const TreeSize& size) : TreeSize(size) {}

  /// Why it may be back after a crash of the machine, where the disk failed afterwards.
  std::optional<Error> unsafe = {};
};

}  // namespace coffer::storage
