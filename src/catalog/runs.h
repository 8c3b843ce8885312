#pragma once

#include <string>
#include <string_view>

namespace soci {
class session;
}

namespace coffer::catalog {

// The rows that say which servers run on the catalog, and what each has reserved. To be called in a
// transaction.

/// The part of an account's reserved bytes that is for uploads, whatever runs, in a statement on
/// `quota_usage`.
inline constexpr std::string_view kHeldForUploads =
    "(SELECT coalesce(sum(u.quota_bytes), 0) FROM uploads u WHERE u.account_id = "
    "quota_usage.account_id AND u.state IN ('receiving', 'interrupted'))";

/// Notes that the server `node` runs, and the tag of the incomplete items that it makes, if it may
/// make any.
void note_run(soci::session& sql, const std::string& node, const std::string& partial_tag);

/// Ends every run that is noted, and makes the sums of reservations true, whatever they were; what
/// was finishing is interrupted. True if there was a run. One server uses a catalog at a time, so
/// whatever is noted when one begins is dead; a catalog that several servers share has to tell
/// living ones apart here.
bool end_all_runs(soci::session& sql);

/// Ends one run: its reservations are void.
void end_run(soci::session& sql, const std::string& node);

/// True if a run of that tag was noted and has ended.
bool has_ended(soci::session& sql, const std::string& partial_tag);

}  // namespace coffer::catalog
