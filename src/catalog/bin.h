#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/turn.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

class Database;

enum class BinState : std::uint8_t {
  open,       ///< Being moved into or out of the bin; after a crash it can be in either place.
  kept,       ///< In the bin.
  discarding  ///< Claimed by a caller that deletes the item for good.
};
constexpr auto words_of(BinState) {
  using enum BinState;
  return enum_words<BinState>({{open, "open"}, {kept, "kept"}, {discarding, "discarding"}});
}

/// A deleted item. Each account has a bin for its own files; so has each share and connector.
struct BinItem {
  BinItemId id;
  /// The account that deleted the item; nullopt if that account was removed.
  std::optional<AccountId> account;
  std::string place;  ///< The path of the item's mount; empty for the account's own files.
  /// Where the mount led when the item was deleted; empty for own files, and if it is not known.
  std::string leads_to;
  std::string path;  ///< The item's former path in the mount or in the account's own files.
  bool is_folder = false;
  std::optional<std::uint64_t> size_bytes;  ///< Always known for the account's own files.
  Timestamp deleted_at{};
  BinState state = BinState::kept;
};

/// Deletes the records of the items in the bin of a removed mount. Deletes no files.
void drop_bin_of(sql::Connection& sql, const Path& mount);

/// The items in the bins. Safe from any thread.
class Bin {
 public:
  explicit Bin(Database& database) : database_(database) {}

  /// Records an item as open. Call it before the item is moved. `not_found` for an unknown account.
  Task<Result<void>> add(BinItem item);
  /// Records that an open item is now kept. `size_bytes` is nullopt if the size is unknown.
  Task<Result<void>> keep(Turn turn, BinItemId id, bool is_folder,
                          std::optional<std::uint64_t> size_bytes);
  /// Claims a kept item, so that only this caller restores or deletes it: changes the item's state
  /// from `kept` to `state`. Returns false, and changes nothing, if the state is not `kept`.
  Task<Result<bool>> claim(Turn turn, BinItemId id, BinState state);
  /// Ends a claim: changes the item's state back to `kept`.
  Task<Result<void>> release(Turn turn, BinItemId id);
  /// Deletes the record of an item that is no longer in the bin. Does nothing for an unknown id.
  Task<Result<void>> drop(Turn turn, BinItemId id);

  /// Returns a kept item of the account; `not_found` if the account has no kept item with this id.
  Task<Result<BinItem>> find(AccountId account, BinItemId id);
  /// The position of an item in the order of `list`.
  struct Position {
    Timestamp at{};
    std::string id;
  };
  /// Returns at most `most` kept items of the account, the most recently deleted one first. With
  /// `after`, begins with the item that follows this position.
  Task<Result<std::vector<BinItem>>> list(AccountId account, std::optional<Position> after,
                                          std::size_t most);
  /// Returns how many items the account has in the bins, in any state; at most `most`.
  Task<Result<std::size_t>> count(AccountId account, std::size_t most);
  /// Returns the kept items of the account's own files, the earliest deletion first.
  Task<Result<std::vector<BinItem>>> list_own(AccountId account);
  /// Returns the items that are open or discarding, of all accounts or of one, but for those that
  /// another server looks after, since it works on them or was asked before. From now on this one
  /// looks after them.
  Task<Result<std::vector<BinItem>>> unfinished();
  Task<Result<std::vector<BinItem>>> unfinished(AccountId account);
  /// Returns the state of an item; nullopt for an unknown id.
  Task<Result<std::optional<BinState>>> state_of(Turn turn, BinItemId id);
  /// Returns the kept items that were deleted before `before`, or whose account was removed.
  Task<Result<std::vector<BinItem>>> due(Timestamp before);

 private:
  template <class... A>
  Task<Result<std::vector<BinItem>>> look_after(std::string_view condition, Turn turn,
                                                A... arguments);

  Database& database_;
};

}  // namespace coffer::catalog
