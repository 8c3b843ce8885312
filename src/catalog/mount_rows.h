#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "catalog/connector.h"
#include "catalog/share.h"
#include "sql/table.h"

namespace coffer::sql {

/// For `columns` and `read` only: a new row needs `is_resolved` too. Share::accounts stays empty,
/// since these accounts are rows of another table.
template <>
struct Table<catalog::Share> {
  using Share = catalog::Share;
  static constexpr std::string_view kName = "shares";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &Share::id},
      Column{"name", &Share::name},
      Column{"description", &Share::description},
      Column{"target", &Share::target},
      Column{"read_only", &Share::read_only},
      Column{"everyone", &Share::everyone},
      Column{"created_at", &Share::created_at},
  };
};

template <>
struct Table<catalog::Connector> {
  using Connector = catalog::Connector;
  static constexpr std::string_view kName = "connectors";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &Connector::id},
      Column{"account_id", &Connector::account},
      Column{"kind", &Connector::kind},
      Column{"name", &Connector::name},
      Column{"description", &Connector::description},
      Column{"target", &Connector::target},
      Column{"settings", &Connector::settings},
      Column{"sealed_secret", &Connector::sealed_secret},
      Column{"read_only", &Connector::read_only},
      Column{"created_at", &Connector::created_at},
  };
};

}  // namespace coffer::sql

namespace coffer::catalog {

/// Returns the shares that the account sees, sorted by name, with only this account in `accounts`.
std::vector<Share> select_shares_for(sql::Connection& sql, AccountId account);
/// Returns all shares, unsorted. Their Share::accounts is empty.
std::vector<Share> select_all_shares(sql::Connection& sql);
std::vector<Connector> select_connectors_of(sql::Connection& sql, AccountId account);

}  // namespace coffer::catalog
