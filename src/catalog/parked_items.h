#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::catalog {

class Database;

/// An item that a move gives another name in its folder for a moment.
struct ParkedItem {
  std::string id;
  AccountId account;
  std::string path;         ///< The item's own path, from the account's root.
  std::string parked_name;  ///< The other name.
  std::string leads_to;     ///< Where the mount of `path` leads; empty for own files.
  std::string copy_path;    ///< Where a copy of the item shows; empty if there is none.
  std::string copy_leads_to;
  std::string copied;       ///< What was copied; see core::CopiedSource.
  bool is_leaving = false;  ///< The item may be deleted in part.
  std::string boot;         ///< The machine's boot id when the item was parked.
};

/// The items that moves have parked. Safe from any thread.
class ParkedItems {
 public:
  explicit ParkedItems(Database& database) : database_(database) {}

  /// Records an item. Call it before the item gets the other name. `rate_limited` if too many moves
  /// of the account were cut off and cannot be ended.
  Task<Result<void>> add(ParkedItem item);
  /// Records that the item's deletion begins.
  Task<Result<void>> leave(std::string id);
  /// Deletes the record of an item that has its own name again or is gone. Does nothing for an
  /// unknown id. A power failure may undo it.
  Task<Result<void>> drop(std::string id);
  /// Returns all items but those that another server looks after, since its moves are under way or
  /// it was asked before. From now on this one looks after them.
  Task<Result<std::vector<ParkedItem>>> all();
  /// Returns nullopt for an unknown id.
  Task<Result<std::optional<ParkedItem>>> find(std::string id);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
