#include "catalog/mount_rows.h"

#include <algorithm>
#include <string>

#include "sql/connection.h"

namespace coffer::catalog {

std::vector<Share> select_shares_for(sql::Connection& sql, AccountId account) {
  static const std::string kText =
      "SELECT " + sql::columns<Share>("s.") +
      " FROM shares s WHERE s.everyone = 1 OR s.id IN (SELECT share_id FROM "
      "share_accounts WHERE account_id = $1)";
  auto shares = sql::select<Share>(sql, kText, account);
  for (Share& share : shares) {
    if (!share.everyone) share.accounts = {account};
  }
  std::ranges::sort(shares, {}, &Share::name);
  return shares;
}

std::vector<Share> select_all_shares(sql::Connection& sql) {
  static const std::string kText = "SELECT " + sql::columns<Share>("s.") + " FROM shares s";
  return sql::select<Share>(sql, kText);
}

std::vector<Connector> select_connectors_of(sql::Connection& sql, AccountId account) {
  static const std::string kText =
      "SELECT " + sql::columns<Connector>("c.") + " FROM connectors c WHERE c.account_id = $1";
  auto connectors = sql::select<Connector>(sql, kText, account);
  std::ranges::sort(connectors, {}, &Connector::name);
  return connectors;
}

}  // namespace coffer::catalog
