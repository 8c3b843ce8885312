#include "core/connectors/connector_labels.h"

#include <algorithm>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "core/connectors/share_service.h"

namespace coffer::core {

Result<void> check(const ConnectorLabels& labels) {
  if (labels.name) {
    if (auto named = check_mount_name(*labels.name); !named) return named;
  }
  if (labels.description) return check_description(*labels.description);
  return {};
}

Result<void> check_root(std::string_view root) {
  constexpr std::size_t kLimitBytes = 4096;
  if (root.size() > kLimitBytes || !is_utf8(root) || has_control_character(root)) {
    return fail(ErrorCode::invalid, "The root is no path.");
  }
  const auto parsed = Path::parse(root);
  if (!parsed) return failure_of(parsed);
  return {};
}

Result<catalog::NewConnector> new_connector(AccountId account, catalog::ConnectorKind kind,
                                            ConnectorLabels labels) {
  if (auto formed = check(labels); !formed) return failure_of(std::move(formed));
  if (!labels.name) return fail(ErrorCode::invalid, "A connector needs a name.");
  catalog::NewConnector connector;
  connector.account = account;
  connector.kind = kind;
  connector.name = *std::move(labels.name);
  connector.description = std::move(labels.description).value_or("");
  connector.read_only = labels.read_only.value_or(false);
  connector.asker = std::move(labels.asker);
  return connector;
}

catalog::Connector candidate_of(const catalog::NewConnector& wanted) {
  catalog::Connector candidate;
  candidate.account = wanted.account;
  candidate.kind = wanted.kind;
  candidate.name = wanted.name;
  candidate.settings = wanted.settings;
  candidate.sealed_secret = wanted.sealed_secret;
  return candidate;
}

catalog::ConnectorChange change_of(ConnectorLabels labels) {
  catalog::ConnectorChange change;
  change.name = std::move(labels.name);
  change.description = std::move(labels.description);
  change.read_only = labels.read_only;
  change.asker = std::move(labels.asker);
  return change;
}

Task<Result<catalog::Connector>> find_connector(catalog::Connectors& connectors, AccountId account,
                                                std::string id_or_name) {
  auto all = co_await connectors.list(account);
  if (!all) co_return failure_of(std::move(all));
  const auto has_id = [&](const catalog::Connector& one) { return one.id.value == id_or_name; };
  auto found = std::ranges::find_if(*all, has_id);
  if (found == all->end()) found = std::ranges::find(*all, id_or_name, &catalog::Connector::name);
  if (found != all->end()) co_return std::move(*found);
  co_return fail(ErrorCode::not_found, "There is no such connector.");
}

}  // namespace coffer::core
