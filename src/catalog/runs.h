#pragma once

#include <string>
#include <string_view>

namespace soci {
class session;
}

namespace coffer::catalog {

// The rows of the servers that run on the catalog and of their reservations. Call the functions in
// a transaction.

/// The bytes that an account's unfinished uploads reserve, as an expression in a statement on
/// `quota_usage`.
inline constexpr std::string_view kHeldForUploads =
    "(SELECT coalesce(sum(u.quota_bytes), 0) FROM uploads u WHERE u.account_id = "
    "quota_usage.account_id AND u.state IN ('receiving', 'interrupted'))";

/// Notes that the server `node` runs, and the tag of its incomplete items; empty if it makes none.
void note_run(soci::session& sql, const std::string& node, const std::string& partial_tag);

/// Ends all noted runs, sets the sums of reservations to those of unfinished uploads, and marks
/// uploads that were finishing as interrupted. Returns true if there was a run. Only one server
/// uses a catalog at a time, so that all runs noted at its start have ended.
bool end_all_runs(soci::session& sql);

/// Ends one run and drops its reservations.
void end_run(soci::session& sql, const std::string& node);

/// True if a run of that tag was noted and has ended.
bool has_ended(soci::session& sql, const std::string& partial_tag);

}  // namespace coffer::catalog
