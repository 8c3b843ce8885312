#include "core/connectors/connector_type.h"

#include <stdexcept>

namespace coffer::core {

std::map<std::string, std::optional<std::string>> ConnectorType::shown_parameters(
    const ConnectorSettings&) const {
  return {};
}

bool ConnectorType::take_token(ConnectorSettings&, const ConnectorSettings&,
                               const std::string&) const {
  return false;
}

Task<Result<std::string>> ConnectorType::host_key(AccountId, const ConnectorSettings&) {
  co_return fail(ErrorCode::invalid, "A host key is for SFTP.");
}

ConnectorType& ConnectorTypes::of(catalog::ConnectorKind kind) const {
  for (const auto& type : types_) {
    if (type->kind() == kind) return *type;
  }
  throw std::logic_error("a kind of connector is missing in the table");
}

}  // namespace coffer::core
