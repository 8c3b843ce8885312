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

/// What was deleted into the bin of its place.
struct BinItem {
  BinItemId id;
  std::optional<AccountId> account;  ///< Who deleted it; nothing if that was removed since.
  std::string place;                 ///< The prefix of its mount; empty for own files.
  std::string path;                  ///< Where it was, in its place.
  bool is_folder = false;
  std::optional<std::uint64_t> size_bytes;  ///< Where that is known; always of own files.
  Timestamp deleted_at{};
  BinState state = BinState::kept;
};

/// Forgets what the bin of a mount that is removed holds: it stays there.
void drop_bin_of(soci::session& sql, const Path& mount);

/// What the bins hold. Safe from any thread.
class Bin {
 public:
  explicit Bin(Database& database) : database_(database) {}

  /// Notes one that is on its way there. `not_found` if there is no such account.
  Task<Result<void>> add(BinItem item);
  /// It is there, and holds so much.
  Task<Result<void>> keep(BinItemId id, bool is_folder, std::optional<std::uint64_t> size_bytes);
  /// Has one that is kept leave, for the caller alone; false if it is not kept.
  Task<Result<bool>> claim(BinItemId id, BinState state);
  /// What the caller claimed is still there.
  Task<Result<void>> release(BinItemId id);
  /// It is there no more. Nothing for one that is unknown.
  Task<Result<void>> drop(BinItemId id);

  /// One that is kept; `not_found` for an id that is unknown or another account's.
  Task<Result<BinItem>> find(AccountId account, BinItemId id);
  /// A place between two items in the order of `list`.
  struct Position {
    Timestamp at{};
    std::string id;
  };
  /// Those that are kept, the newest first, from behind `after`.
  Task<Result<std::vector<BinItem>>> list(AccountId account, std::optional<Position> after,
                                          std::size_t most);
  /// Those in the account's own files that are kept, the oldest first.
  Task<Result<std::vector<BinItem>>> list_own(AccountId account);
  /// Those that are open or discarding, of all accounts or of one.
  Task<Result<std::vector<BinItem>>> unsettled();
  Task<Result<std::vector<BinItem>>> unsettled(AccountId account);
  /// Nothing for one that is unknown.
  Task<Result<std::optional<BinState>>> state_of(BinItemId id);
  /// Those that are kept, but were deleted before, or have no account any more.
  Task<Result<std::vector<BinItem>>> due(Timestamp before);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
