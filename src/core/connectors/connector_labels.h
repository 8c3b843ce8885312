#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "catalog/connectors.h"

/// What connectors of every kind share.
namespace coffer::core {

/// What is said of any connector; absent fields stay as they are, or take their default.
struct ConnectorLabels {
  std::optional<std::string> name;  ///< A name that an item could have; unique for the account.
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<catalog::Asker> asker = {};  ///< Nothing: the command line.
};

/// `invalid` for a name or description that cannot be.
Result<void> check(const ConnectorLabels& labels);
/// `invalid` for what is no path of a folder on a server.
Result<void> check_root(std::string_view root);

/// The labels of a connector that is to be made; `invalid` if they cannot be or the name is
/// missing.
Result<catalog::NewConnector> new_connector(AccountId account, catalog::ConnectorKind kind,
                                            ConnectorLabels labels);
/// What is to be made, to be tried before it is: without an id.
catalog::Connector candidate_of(const catalog::NewConnector& wanted);
/// The labels to change.
catalog::ConnectorChange change_of(ConnectorLabels labels);

/// The account's of this id, or else of this name; `not_found` if there is none.
Task<Result<catalog::Connector>> find_connector(catalog::Connectors& connectors, AccountId account,
                                                std::string id_or_name);

}  // namespace coffer::core
