#pragma once

#include <vector>

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// One folder of a tree, with the items directly in it.
struct WalkedFolder {
  ServerPath place;
  std::size_t number = 0;  ///< Counts all items in the order of the walk.
  std::size_t depth = 0;   ///< The number of folders above it, up to the top.
  bool is_hidden = false;  ///< It, or a folder above it, has a hidden name.
  Timestamp modified_at{};
  std::vector<Item> items = {};
};

/// Walks through a tree folder by folder, each before those in it; links are not followed.
/// `refused` if the tree exceeds the limits, since a hostile server's may have no end.
class Walk {
 public:
  /// Enter hidden folders or not.
  enum class Through : std::uint8_t { shown, all };

  /// `top` is a folder.
  Walk(Adapter& adapter, const Found& top, Through through);
  /// Returns the next folder, or nullopt at the end.
  Task<Result<std::optional<WalkedFolder>>> next();
  /// Lists one folder at that depth below the top, for walks in another order.
  Task<Result<std::vector<Item>>> list(const ServerPath& folder, std::size_t depth);

 private:
  Result<void> may_enter(const ServerPath& folder, std::size_t depth) const;
  void note_folders(const WalkedFolder& folder);

  Adapter& adapter_;
  const Through through_;
  storage::WalkBudget budget_;
  std::vector<WalkedFolder> left_;
  std::size_t met_ = 1;  ///< The items met so far, the top included.
};

/// True for items that count as a folder's content: files and folders that are not hidden.
bool counts(const Item& item);

/// Adds up the shown items of a file or a tree in one walk. `all` receives the items, hidden ones
/// too.
Task<Result<storage::TreeSize>> measure(Adapter& adapter, const Found& top,
                                        std::vector<TreeItem>* all = nullptr);

}  // namespace coffer::remote
