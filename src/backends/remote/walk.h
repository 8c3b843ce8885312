#pragma once

#include <vector>

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// One folder of a tree, with the items directly in it.
struct WalkedFolder {
  ServerPath place;
  std::size_t number = 0;  ///< The folder's index among all items of the walk; the top has 0.
  std::size_t depth = 0;   ///< The number of folders above this one in the tree; the top has 0.
  bool is_hidden = false;  ///< True if the folder or one between it and the top has a hidden name.
  Timestamp modified_at{};
  std::vector<Item> items = {};
};

/// Walks through a tree folder by folder, and returns each folder before the folders in it. Does
/// not follow symbolic links. The tree of a hostile server may be endless, so the walk fails with
/// `refused` if the tree exceeds Capabilities::walk.
class Walk {
 public:
  /// Selects the folders that the walk enters. `shown` leaves out hidden folders.
  enum class Through : std::uint8_t { shown, all };

  /// `top` must be a folder.
  Walk(Adapter& adapter, const Found& top, Through through);
  /// Returns the next folder, or nullopt at the end.
  Task<Result<std::optional<WalkedFolder>>> next();
  /// Lists one folder, which is `depth` levels below the top, and counts its items against the
  /// limits. Callers that choose the order of the folders themselves use this instead of `next`.
  Task<Result<std::vector<Item>>> list(const ServerPath& folder, std::size_t depth);

 private:
  Result<void> may_enter(const ServerPath& folder, std::size_t depth) const;
  void note_folders(const WalkedFolder& folder);

  Adapter& adapter_;
  const Through through_;
  storage::WalkBudget budget_;
  std::vector<WalkedFolder> left_;
  std::size_t met_ = 1;  ///< The number of items found so far, including the top.
};

/// True for files and folders that are not hidden. Sizes and copies of trees include only these.
bool counts(const Item& item);

/// Returns the size of a file or a tree. Hidden items in the tree do not count. If `top` is a
/// folder and `all` is not null, appends every item of the tree to `all`, including hidden items.
Task<Result<storage::TreeSize>> measure(Adapter& adapter, const Found& top,
                                        std::vector<TreeItem>* all = nullptr);

}  // namespace coffer::remote
