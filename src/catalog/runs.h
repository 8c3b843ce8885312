#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

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
    "(SELECT coalesce(sum(u.quota_bytes), 0) FROM uploads u WHERE u.account_id = "
    "quota_usage.account_id AND u.state IN ('receiving', 'interrupted'))";

/// The number of a run's advisory lock on PostgreSQL ("Advisory Locks", section 13.3.5 of its
/// manual). Transactions of the run hold it shared, and who ends the run takes it alone.
std::int64_t lock_key(std::string_view node);

/// On PostgreSQL, makes the transaction fail with Failure::Kind::division_by_zero if the run has
/// ended. No run ends while the transaction lasts. Like Connection::run, so it costs no round trip.
void fence(sql::Connection& sql, const std::string& node);

void note_run(sql::Connection& sql, const std::string& node, const std::string& partial_tag);

/// Ends all recorded runs and drops their reservations. Marks `finishing` uploads as `interrupted`:
/// their quota is then reserved for the uploads again (see kHeldForUploads). Returns true if it
/// ended a run. Call it when a server starts. Since only one server uses a catalog at a time, all
/// earlier runs have ended by then.
bool end_all_runs(sql::Connection& sql);

/// Ends one run, drops its reservations, and marks all `finishing` uploads as `interrupted`.
void end_run(sql::Connection& sql, const std::string& node);

/// Returns those of the tags whose runs were recorded and have ended.
std::set<std::string> ended_of(sql::Connection& sql, const std::set<std::string>& partial_tags);

}  // namespace coffer::catalog
