#include "catalog/mount_rows.h"

#include <soci/soci.h>

#include <algorithm>
#include <stdexcept>

#include "catalog/columns.h"

namespace coffer::catalog {

Share share_from(const soci::row& row) {
  Share share;
  share.id.value = row.get<std::string>(0);
  share.name = row.get<std::string>(1);
  share.description = row.get<std::string>(2);
  share.target = row.get<std::string>(3);
  share.read_only = row.get<long long>(4) != 0;
  share.everyone = row.get<long long>(5) != 0;
  share.created_at = timestamp_from(row.get<long long>(6));
  return share;
}

Connector connector_from(const soci::row& row) {
  Connector connector;
  connector.id.value = row.get<std::string>(0);
  connector.account.value = row.get<long long>(1);
  const auto kind = enum_from<ConnectorKind>(row.get<std::string>(2));
  if (!kind) throw std::runtime_error("The catalog holds an unknown kind of connector.");
  connector.kind = *kind;
  connector.name = row.get<std::string>(3);
  connector.description = row.get<std::string>(4);
  connector.target = row.get<std::string>(5);
  connector.settings = row.get<std::string>(6);
  connector.sealed_secret = row.get<std::string>(7);
  connector.read_only = row.get<long long>(8) != 0;
  connector.created_at = timestamp_from(row.get<long long>(9));
  return connector;
}

std::vector<Share> select_shares_for(soci::session& sql, AccountId account) {
  std::vector<Share> shares;
  soci::rowset<soci::row> rows =
      (sql.prepare << "SELECT " << kShareColumns
                   << " FROM shares s WHERE s.everyone = 1 OR s.id IN (SELECT share_id FROM "
                      "share_accounts WHERE account_id = :account)",
       soci::use(account.value, "account"));
  for (const soci::row& row : rows) {
    Share share = share_from(row);
    if (!share.everyone) share.accounts = {account};
    shares.push_back(std::move(share));
  }
  std::ranges::sort(shares, {}, &Share::name);
  return shares;
}

std::vector<Share> select_all_shares(soci::session& sql) {
  return select_all((sql.prepare << "SELECT " << kShareColumns << " FROM shares s"), share_from);
}

std::vector<Connector> select_connectors_of(soci::session& sql, AccountId account) {
  auto connectors = select_all((sql.prepare << "SELECT " << kConnectorColumns
                                            << " FROM connectors c WHERE c.account_id = :account",
                                soci::use(account.value, "account")),
                               connector_from);
  std::ranges::sort(connectors, {}, &Connector::name);
  return connectors;
}

}  // namespace coffer::catalog
