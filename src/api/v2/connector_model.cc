#include "api/v2/connector_model.h"

namespace coffer::api::v2 {
namespace {

ServerPart server_part_of(const core::ConnectorSettings& settings) {
  ServerPart part;
  part.host = settings.host;
  part.port = settings.port;
  part.user = settings.user;
  part.root = settings.root;
  part.tls = settings.tls;
  part.hostKey = settings.host_key;
  part.usesPrivateKey = settings.credential == core::Credential::private_key;
  return part;
}

DrivePart drive_part_of(const core::DriveView& drive) {
  DrivePart part;
  part.provider = drive.provider;
  part.root = drive.root;
  for (const auto& [name, value] : drive.parameters) {
    auto& shown = part.parameters.value[name];
    if (value) shown = *value;
  }
  return part;
}

}  // namespace

void show(const core::ConnectorView& view, ConnectorDetails& out) {
  const catalog::Connector& connector = view.connector;
  out.id = connector.id.value;
  out.kind = connector.kind;
  out.name = connector.name;
  out.description = connector.description;
  out.target = connector.target;
  out.readOnly = connector.read_only;
  out.mayBePrivate = view.may_be_private;
  out.createdAt = connector.created_at;
  if (view.server) out.server = server_part_of(*view.server);
  if (view.drive) out.drive = drive_part_of(*view.drive);
  out.health.state = view.health.state;
  out.health.message = view.health.message;
  out.health.lookedAt = view.health.looked_at;
}

}  // namespace coffer::api::v2
