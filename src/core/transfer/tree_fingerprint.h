#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/path.h"
#include "storage/entry.h"

namespace coffer::core {

/// Tells in constant memory whether a tree is still what it was: two marks with one key that got
/// the same items, in any order, are equal, and all others are not (but for one case in 2^64).
/// What counts of a file is its path, size, modification time and file id; of a folder its path.
class TreeFingerprint {
 public:
  using Key = std::array<unsigned char, 16>;
  static Key new_key();

  explicit TreeFingerprint(const Key& key) : key_(key) {}
  void add(const Path& path, const storage::Entry& entry);
  /// Takes back what `add` did.
  void remove(const Path& path, const storage::Entry& entry);

  bool operator==(const TreeFingerprint&) const = default;

 private:
  using Sum = std::array<std::uint64_t, 2>;
  Sum hash(const Path& path, const storage::Entry& entry) const;

  Key key_;
  Sum sum_{};
};

}  // namespace coffer::core
