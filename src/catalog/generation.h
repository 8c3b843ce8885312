#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace soci {
class session;
}

namespace coffer::catalog {

/// The rows that are kept in memory, each kind with a counter of its changes in the database.
enum class Generation : std::uint8_t {
  auth,    ///< Accounts and keys.
  mounts,  ///< Shares, connectors, and which accounts see them.
};

inline constexpr std::size_t kGenerations = 2;

/// Counts a change, in the change's own transaction. It locks the counter's row until the end: as
/// the first statement it makes the changes of other processes wait before they read.
void bump(soci::session& sql, Generation generation);

std::int64_t current(soci::session& sql, Generation generation);

/// Which generations this thread has bumped since the last call, by their numbers.
std::array<bool, kGenerations> take_bumped();

}  // namespace coffer::catalog
