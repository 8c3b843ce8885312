#pragma once

#include <cstdint>

namespace soci {
class session;
}

namespace coffer::catalog {

/// What is kept in memory outside the database, each with a counter of its changes in it.
enum class Generation : std::uint8_t {
  auth,    ///< Accounts and keys.
  mounts,  ///< Shares, connectors, and which accounts see them.
};

/// Counts a change, in the change's own transaction. It locks the counter's row until the end: as
/// the first statement it makes the changes of other processes wait before they read.
void bump(soci::session& sql, Generation generation);

std::int64_t current(soci::session& sql, Generation generation);

}  // namespace coffer::catalog
