#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

// The records of runs in the catalog. A run is the time between a server's start and its stop. Call
// these functions in a transaction. `node` is the id of a run. `partial_tag` is the part of the
// names of incomplete files and folders that identifies their run; it may be empty.

/// An SQL expression: the bytes reserved for an account's uploads that are `receiving` or
/// `interrupted`. Use it in a statement on the table `quota_usage`. It excludes the uploads that
/// are `finishing`, since their bytes are reserved for the run that publishes them.
inline constexpr std::string_view kHeldForUploads =
    "(SELECT coalesce(sum(u.quota_bytes), 0) FROM uploads u WHERE u.quota_account_id = "
    "quota_usage.account_id AND u.state IN ('receiving', 'interrupted'))";

/// The number of a run's advisory lock on PostgreSQL ("Advisory Locks", section 13.3.5 of its
/// manual). Transactions of the run hold it shared, and who ends the run takes it alone.
std::int64_t lock_key(std::string_view node);
/// The number of the advisory lock that the run's server holds shared while it lives.
std::int64_t life_key(std::string_view node);

/// On PostgreSQL, makes the transaction fail with Failure::Kind::division_by_zero if the run has
/// ended. No run ends while the transaction lasts. Like Connection::run, so it costs no round trip.
void fence(sql::Connection& sql, const std::string& node);

/// An SQL condition on a table with a column `run`: the run that works on the row has ended.
inline constexpr std::string_view kIsOfEndedRun = "run NOT IN (SELECT node FROM runs)";
/// The node, in the table `reservations`, of what runs that have crashed had reserved.
inline constexpr std::string_view kCrashed = "crashed";
/// An SQL condition on such a table: no run works on the row, or it is the run $1.
inline constexpr std::string_view kIsOfNoOtherRun =
    "run NOT IN (SELECT node FROM runs WHERE node <> $1)";

/// A run that begins.
struct NewRun {
  std::string node;
  std::string partial_tag;
  std::string home;  ///< The id of the server's data folder; may be empty.
};
void note_run(sql::Connection& sql, const NewRun& run);

/// Ends all recorded runs and drops their reservations. Marks `finishing` uploads as `interrupted`:
/// their quota is then reserved for the uploads again (see kHeldForUploads). Returns true if it
/// ended a run. Call it when a server starts that uses the catalog alone: all earlier runs have
/// ended by then. The used bytes of all accounts are then uncounted.
bool end_all_runs(sql::Connection& sql);

/// How a run ended. After a crash, the used bytes of the accounts that it had reserved quota for
/// are uncounted, and what it had reserved stays reserved until they are counted.
enum class RunEnd : std::uint8_t { clean, crash };

/// Ends one run, drops its reservations after a clean end, and marks its `finishing` uploads as
/// `interrupted`. Other runs may go on meanwhile.
void end_run(sql::Connection& sql, const std::string& node, RunEnd how);

/// Ends a run whose server died, if it is still at this beat; returns whether it did. A server that
/// lives holds the run's lock, so its run does not end. PostgreSQL only.
bool end_dead_run(sql::Connection& sql, const std::string& node, std::int64_t beats);

/// Ends the runs of the data folder, whose server has died if another one begins there. Returns
/// whether there was one. `exists` if its server lives nevertheless, with a copy of that folder.
/// PostgreSQL only.
Result<bool> end_runs_of(sql::Connection& sql, const std::string& home);

/// Returns those of the tags whose runs were recorded and have ended.
std::set<std::string> ended_of(sql::Connection& sql, const std::set<std::string>& partial_tags);

}  // namespace coffer::catalog
