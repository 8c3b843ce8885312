#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace soci {
class session;
}

namespace coffer::catalog {

/// The kinds of rows that are cached, each with a counter of its changes in the database.
enum class Generation : std::uint8_t {
  auth,    ///< Accounts and keys.
  mounts,  ///< Shares, connectors, and which accounts see them.
};

inline constexpr std::size_t kGenerations = 2;

/// Counts a change in its transaction. This locks the counter's row until the end; as the first
/// statement it serialises the changes of all processes.
void bump(soci::session& sql, Generation generation);

/// Returns the counter in the database.
std::int64_t current(soci::session& sql, Generation generation);

/// Returns which generations this thread has bumped since the last call.
std::array<bool, kGenerations> take_bumped();

}  // namespace coffer::catalog
