#include "catalog/connector.h"

namespace coffer::catalog {

std::string_view to_string(ConnectorKind kind) {
  switch (kind) {
    case ConnectorKind::ftp:
      return "ftp";
    case ConnectorKind::sftp:
      return "sftp";
    case ConnectorKind::drive:
      return "drive";
  }
  return {};
}

std::optional<ConnectorKind> connector_kind_from(std::string_view text) {
  for (const auto kind : {ConnectorKind::ftp, ConnectorKind::sftp, ConnectorKind::drive}) {
    if (text == to_string(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace coffer::catalog
