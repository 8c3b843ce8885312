#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "catalog/credential.h"
#include "catalog/person_share.h"

namespace coffer::sql {
class Connection;
class Row;
}  // namespace coffer::sql

namespace coffer::catalog {

/// Returns a SELECT of shares `p` with their keys `k` and owners `a`, as `person_share_from` reads
/// them.
std::string person_shares_where(std::string_view condition);
PersonShare person_share_from(const sql::Row& row);

/// Returns the shares that the account receives, of owners who are not disabled, unsorted.
std::vector<PersonShare> select_received(sql::Connection& sql, AccountId account);
/// Ends the shares that nobody receives any more, because their last receivers left or were
/// removed. Call it in a transaction that has bumped the generation `mounts`.
void end_unreceived(sql::Connection& sql, const Actor& actor);
/// Returns the shares that the account has given, unsorted.
std::vector<PersonShare> select_given(sql::Connection& sql, AccountId owner);

}  // namespace coffer::catalog
