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
  auth,    ///< Accounts, keys, links and sessions.
  mounts,  ///< Shares, connectors, and which accounts see them.
};

inline constexpr std::size_t kGenerations = 2;

/// Counts a change. Call it in the transaction of the change: it locks the counter's row until the
/// transaction ends. As the first statement it serialises the changes of all processes.
void bump(soci::session& sql, Generation generation);

/// Returns the generation's counter in the database.
std::int64_t current(soci::session& sql, Generation generation);

/// Returns which generations this thread has bumped since its last call of take_bumped.
std::array<bool, kGenerations> take_bumped();

}  // namespace coffer::catalog
