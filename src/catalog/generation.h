#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

/// Names a counter in the database, one for each group of rows that a process may cache. Each
/// transaction that changes rows of a group must increment its counter ("bump the generation").
enum class Generation : std::uint8_t {
  auth,    ///< Accounts, keys, links and sessions.
  mounts,  ///< Shares, connectors, and which accounts see them.
  locks,   ///< Locks of files and folders.
};

inline constexpr std::size_t kGenerations = 3;

/// Increments the generation's counter, and locks the counter's row until the transaction ends.
/// Transactions that begin with this call therefore run one after another, in all processes.
void bump(sql::Connection& sql, Generation generation);

/// Locks the counter's row without incrementing the counter. For a transaction that does not know
/// yet whether it will change rows of the group: if it changes some, it must call `bump` too.
void lock(sql::Connection& sql, Generation generation);

/// Returns the counters in the database, in the order of the generations.
std::array<std::int64_t, kGenerations> current(sql::Connection& sql);

/// Returns true if this thread has bumped a generation since its last call of take_bumped.
bool has_bumped();

/// Returns which generations this thread has bumped since its last call of take_bumped.
std::array<bool, kGenerations> take_bumped();

}  // namespace coffer::catalog
