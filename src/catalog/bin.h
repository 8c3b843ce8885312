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
  open,       ///< On its way into the bin or out of it; after a crash, either side.
  kept,       ///< In the bin.
  discarding  ///< To be deleted for good.
};
constexpr auto words_of(BinState) {
  using enum BinState;
  return enum_words<BinState>({{open, "open"}, {kept, "kept"}, {discarding, "discarding"}});
}

/// An item in the bin of the place from which it was deleted.
struct BinItem {
  BinItemId id;
  std::optional<AccountId> account;  ///< That deleted it; nullopt if it was removed since.
  std::string place;                 ///< The prefix of its mount; empty for own files.
  std::string path;                  ///< Where it was, in its place.
  bool is_folder = false;
  std::optional<std::uint64_t> size_bytes;  ///< Where that is known; always of own files.
  Timestamp deleted_at{};
  BinState state = BinState::kept;
};

/// Forgets the items in the bin of a mount that is removed; their files stay there.
void drop_bin_of(soci::session& sql, const Path& mount);

/// The items in the bins. Safe from any thread.
class Bin {
 public:
  explicit Bin(Database& database) : database_(database) {}

  /// Notes an item that is about to be moved into the bin. `not_found` if there is no such account.
  Task<Result<void>> add(BinItem item);
  /// Notes that it is in the bin, and its size.
  Task<Result<void>> keep(BinItemId id, bool is_folder, std::optional<std::uint64_t> size_bytes);
  /// Claims a kept item for the caller alone, who takes it out; false if it is not kept.
  Task<Result<bool>> claim(BinItemId id, BinState state);
  /// Gives a claimed item back: it is kept.
  Task<Result<void>> release(BinItemId id);
  /// Forgets an item that is gone. Does nothing for an unknown id.
  Task<Result<void>> drop(BinItemId id);

  /// A kept item; `not_found` for an id that is unknown or another account's.
  Task<Result<BinItem>> find(AccountId account, BinItemId id);
  /// A place between two items in the order of `list`.
  struct Position {
    Timestamp at{};
    std::string id;
  };
  /// The kept items after `after`, the newest first.
  Task<Result<std::vector<BinItem>>> list(AccountId account, std::optional<Position> after,
                                          std::size_t most);
  /// The kept items of the account's own files, the oldest first.
  Task<Result<std::vector<BinItem>>> list_own(AccountId account);
  /// The items that are open or discarding, of all accounts or of one.
  Task<Result<std::vector<BinItem>>> unsettled();
  Task<Result<std::vector<BinItem>>> unsettled(AccountId account);
  /// Nullopt for an unknown id.
  Task<Result<std::optional<BinState>>> state_of(BinItemId id);
  /// The kept items that were deleted before `before`, or whose account was removed.
  Task<Result<std::vector<BinItem>>> due(Timestamp before);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
