#pragma once

#include <string>
#include <string_view>

namespace soci {
class session;
}

namespace coffer::catalog {

// The records of runs: a run is the time between a server's start and stop. Call the functions in a
// transaction.

/// The bytes that an account's uploads reserve themselves, as an expression in a statement on
/// `quota_usage`. The run that publishes a finishing upload has the upload's reservation.
inline constexpr std::string_view kHeldForUploads =
    "(SELECT coalesce(sum(u.quota_bytes), 0) FROM uploads u WHERE u.account_id = "
    "quota_usage.account_id AND u.state IN ('receiving', 'interrupted'))";

/// Records that the run `node` has begun, with the tag of its incomplete items (may be empty).
void note_run(soci::session& sql, const std::string& node, const std::string& partial_tag);

/// Ends all recorded runs, drops their reservations, and marks finishing uploads, which then
/// reserve their quota themselves, as interrupted. Returns true if there was a run. Call it at a
/// server's start: only one server uses a catalog at a time, so that all earlier runs have ended.
bool end_all_runs(soci::session& sql);

/// Ends one run, drops its reservations, and marks finishing uploads as interrupted.
void end_run(soci::session& sql, const std::string& node);

/// Returns true if a run with this tag was recorded and has ended.
bool has_ended(soci::session& sql, const std::string& partial_tag);

}  // namespace coffer::catalog
