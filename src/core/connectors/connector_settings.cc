#include "core/connectors/connector_settings.h"

#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "core/connectors/share_service.h"

namespace coffer::core {
namespace {

/// The first member of the patch that is for servers; empty if there is none.
std::string_view server_member_in(const ConnectorPatch& patch) {
  if (patch.host) return "host";
  if (patch.port) return "port";
  if (patch.user) return "user";
  if (patch.tls) return "tls";
  if (patch.character_set) return "characterSet";
  if (patch.host_key) return "hostKey";
  if (patch.passphrase) return "passphrase";
  return patch.secret ? "password or privateKey" : "";
}

std::unexpected<Error> foreign(std::string_view member, std::string_view kind) {
  return fail(ErrorCode::invalid, std::string(member) + " is not for connectors of this kind: a " +
                                      std::string(kind) + ".");
}

}  // namespace

std::string value_in(const DriveParameters& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string() : found->second;
}

Result<void> check(const ConnectorLabels& labels) {
  if (labels.name) {
    TRY_VOID(check_mount_name(*labels.name));
  }
  if (labels.description) return check_description(*labels.description);
  return {};
}

Result<void> check_root(std::string_view root) {
  constexpr std::size_t kLimitBytes = 4096;
  if (root.size() > kLimitBytes || !is_utf8(root) || has_control_character(root)) {
    return fail(ErrorCode::invalid, "The root is not a valid path.");
  }
  const auto parsed = Path::parse(root);
  if (!parsed) return failure_of(parsed);
  return {};
}

bool has_labels_only(const ConnectorPatch& patch) {
  const bool has_place = patch.root || patch.host || patch.port || patch.user || patch.tls ||
                         patch.character_set || patch.host_key || patch.trusts_first_key;
  const bool has_secret = patch.credential || patch.secret || patch.passphrase;
  return !has_place && !has_secret && !patch.provider && patch.parameters.empty();
}

bool is_root_within(std::string_view root, std::string_view other) {
  if (root.starts_with('/') != other.starts_with('/')) return false;
  const auto inner = Path::parse(root);
  const auto outer = Path::parse(other);
  return inner && outer && inner->is_within(*outer);
}

Result<catalog::NewConnector> new_connector(AccountId account, catalog::ConnectorKind kind,
                                            ConnectorLabels labels) {
  TRY_VOID(check(labels));
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

Result<void> check_form(ConnectorForm form, const ConnectorPatch& patch) {
  if (form == ConnectorForm::drive) {
    const auto member = server_member_in(patch);
    return member.empty() ? Result<void>() : foreign(member, "drive has provider and parameters");
  }
  if (patch.provider) return foreign("provider", "server has host and user");
  return patch.parameters.empty() ? Result<void>()
                                  : foreign("parameters", "server has host and user");
}

}  // namespace coffer::core
