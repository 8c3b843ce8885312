#pragma once

#include <vector>

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// One folder of a tree, with the items directly in it.
struct WalkedFolder {
  ServerPath place;
  std::size_t number = 0;  ///< Its index among all items in the order of the walk; the top is 0.
  std::size_t depth = 0;   ///< The number of folders above it in the tree; the top has 0.
  bool is_hidden = false;  ///< The folder, or one above it and below the top, has a hidden name.
  Timestamp modified_at{};
  std::vector<Item> items = {};
};

/// Walks through a tree folder by folder, each folder before the folders in it. Does not follow
/// symbolic links. `refused` if the tree exceeds Capabilities::walk, because the tree of a hostile
/// server may be endless.
class Walk {
 public:
  /// Selects the folders that are entered: those that are not hidden, or all.
  enum class Through : std::uint8_t { shown, all };

  /// `top` must be a folder.
  Walk(Adapter& adapter, const Found& top, Through through);
  /// Returns the next folder, or nullopt at the end.
  Task<Result<std::optional<WalkedFolder>>> next();
  /// Lists one folder, at `depth` below the top, and counts it against the limits. For callers that
  /// walk in an order of their own.
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

/// True for items that count as content of a folder: files and folders that are not hidden.
bool counts(const Item& item);

/// Returns the size of a file or a tree without hidden items. If `all` is given and `top` is a
/// folder, adds every item of the tree to it, including hidden ones.
Task<Result<storage::TreeSize>> measure(Adapter& adapter, const Found& top,
                                        std::vector<TreeItem>* all = nullptr);

}  // namespace coffer::remote
