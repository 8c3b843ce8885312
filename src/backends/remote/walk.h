#pragma once

#include <vector>

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// One folder of a tree, with all that is directly in it.
struct WalkedFolder {
  ServerPath place;
  std::size_t number = 0;  ///< Among all items in the order in which the walk meets them.
  std::size_t depth = 0;   ///< Folders above it, up to the top.
  bool is_hidden = false;  ///< Itself, or one above it.
  Timestamp modified_at{};
  std::vector<Item> items = {};
};

/// One way through a tree folder by folder, each before those in it; links are not followed. It is
/// given up, `refused`, where it meets more than people have, for a hostile server's has no end.
class Walk {
 public:
  /// Whether what has a hidden name is entered too.
  enum class Through : std::uint8_t { shown, all };

  /// `top` is a folder.
  Walk(Adapter& adapter, const Found& top, Through through);
  /// The next folder; nothing when all were.
  Task<Result<std::optional<WalkedFolder>>> next();
  /// What is in one that lies so many folders below the top, for ways of another order.
  Task<Result<std::vector<Item>>> list(const ServerPath& folder, std::size_t depth);

 private:
  Result<void> may_enter(const ServerPath& folder, std::size_t depth) const;
  void note_folders(const WalkedFolder& folder);

  Adapter& adapter_;
  const Through through_;
  storage::WalkBudget budget_;
  std::vector<WalkedFolder> left_;
  std::size_t met_ = 1;  ///< Items so far, with the top.
};

/// True for what belongs to a folder: files and folders that are not hidden.
bool counts(const Item& item);

/// Adds up what shows of a file or a tree, by one walk. `all` gets the items, also hidden ones.
Task<Result<storage::TreeSize>> measure(Adapter& adapter, const Found& top,
                                        std::vector<TreeItem>* all = nullptr);

}  // namespace coffer::remote
