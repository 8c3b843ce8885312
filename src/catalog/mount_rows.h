#pragma once

#include <string_view>
#include <vector>

#include "catalog/connector.h"
#include "catalog/share.h"

namespace soci {
class row;
class session;
}  // namespace soci

namespace coffer::catalog {

/// The columns of a share and of a connector, in the order in which the functions below read them.
inline constexpr std::string_view kShareColumns =
    "s.id, s.name, s.description, s.target, s.read_only, s.everyone, s.created_at";
inline constexpr std::size_t kShareColumnCount = 7;
inline constexpr std::string_view kConnectorColumns =
    "c.id, c.account_id, c.kind, c.name, c.description, c.target, c.settings, c.sealed_secret, "
    "c.read_only, c.created_at";

/// Reads a share. Leaves Share::accounts empty, since these accounts are rows of another table.
Share share_from(const soci::row& row);
/// Reads a connector. Throws if the row has a value that the catalog never writes.
Connector connector_from(const soci::row& row);

/// Returns the shares that the account sees, sorted by name, with only this account in `accounts`.
std::vector<Share> select_shares_for(soci::session& sql, AccountId account);
/// Returns all shares, unsorted. Their Share::accounts is empty.
std::vector<Share> select_all_shares(soci::session& sql);
std::vector<Connector> select_connectors_of(soci::session& sql, AccountId account);

}  // namespace coffer::catalog
