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

namespace soci {
class session;
}

namespace coffer::catalog {

class Database;

enum class BinState : std::uint8_t {
  open,       ///< Being moved into the bin or out of it; after a crash, in either place.
  kept,       ///< In the bin.
  discarding  ///< To be deleted for good.
};
constexpr auto words_of(BinState) {
  using enum BinState;
  return enum_words<BinState>({{open, "open"}, {kept, "kept"}, {discarding, "discarding"}});
}

/// An item in the bin of the place that it was deleted from.
struct BinItem {
  BinItemId id;
  std::optional<AccountId> account;  ///< The deleter; nullopt if it was removed since.
  std::string place;                 ///< Its mount's prefix; empty for own files.
  std::string path;                  ///< Its path before, in its place.
  bool is_folder = false;
  std::optional<std::uint64_t> size_bytes;  ///< Always known for own files.
  Timestamp deleted_at{};
  BinState state = BinState::kept;
};

/// Deletes the records of the items in the bin of a removed mount; their files stay.
void drop_bin_of(soci::session& sql, const Path& mount);

/// The items in the bins. Safe from any thread.
class Bin {
 public:
  explicit Bin(Database& database) : database_(database) {}

  /// Notes an item that is about to be moved into the bin. `not_found` if there is no such account.
  Task<Result<void>> add(BinItem item);
  /// Notes that the item is in the bin, and its size.
  Task<Result<void>> keep(BinItemId id, bool is_folder, std::optional<std::uint64_t> size_bytes);
  /// Claims a kept item for the caller, which takes it out of the bin; false if it is not kept.
  Task<Result<bool>> claim(BinItemId id, BinState state);
  /// Ends the claim: the item is kept again.
  Task<Result<void>> release(BinItemId id);
  /// Deletes the record of an item that is gone. Does nothing for an unknown id.
  Task<Result<void>> drop(BinItemId id);

  /// Returns a kept item; `not_found` for an id that is unknown or another account's.
  Task<Result<BinItem>> find(AccountId account, BinItemId id);
  /// A position between two items in the order of `list`.
  struct Position {
    Timestamp at{};
    std::string id;
  };
  /// Returns the kept items after `after`, the newest first.
  Task<Result<std::vector<BinItem>>> list(AccountId account, std::optional<Position> after,
                                          std::size_t most);
  /// Returns the kept items of the account's own files, the oldest first.
  Task<Result<std::vector<BinItem>>> list_own(AccountId account);
  /// Returns the items that are open or discarding, of all accounts or of one.
  Task<Result<std::vector<BinItem>>> unfinished();
  Task<Result<std::vector<BinItem>>> unfinished(AccountId account);
  /// Returns nullopt for an unknown id.
  Task<Result<std::optional<BinState>>> state_of(BinItemId id);
  /// Returns the kept items that were deleted before `before`, or whose account was removed.
  Task<Result<std::vector<BinItem>>> due(Timestamp before);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
