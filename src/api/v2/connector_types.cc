#include "api/v2/connector_types.h"

#include <utility>

namespace coffer::api::v2 {

namespace {

ServerPart server_part_of(const core::ConnectorSettings& settings) {
  ServerPart part;
  part.host = settings.host;
  part.port = settings.port;
  part.user = settings.user;
  part.root = settings.root;
  part.tls = settings.tls;
  part.characterSet = settings.character_set;
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

namespace {

namespace json = boost::json;

constexpr std::size_t kKeyLimitBytes = 16 * 1024;
constexpr std::size_t kMostParameters = 100;
constexpr std::size_t kLongestParameter = 16 * 1024;

std::string_view raw_text_of(const json::value& value) {
  return {value.get_string().data(), value.get_string().size()};
}

Result<core::AnyConnectorPatch> common_patch_of(ConnectorMembers members) {
  if (members.password && members.privateKey) {
    return fail(ErrorCode::invalid,
                "The login to a server takes a password or a private key, not both.");
  }
  core::AnyConnectorPatch patch;
  if (members.description) patch.description = std::move(members.description->value);
  patch.read_only = members.readOnly;
  if (members.root) patch.root = std::move(members.root->value);
  if (members.host) patch.host = std::move(members.host->value);
  if (members.port) patch.port = members.port->value;
  if (members.user) patch.user = std::move(members.user->value);
  patch.tls = members.tls;
  patch.character_set = members.characterSet;
  if (members.hostKey) patch.host_key = std::move(members.hostKey->value);
  patch.trusts_first_key = members.trustHostKey.value_or(false);
  if (members.password) {
    patch.credential = core::Credential::password;
    patch.secret = std::move(members.password->value);
  }
  if (members.privateKey) {
    patch.credential = core::Credential::private_key;
    patch.secret = std::move(members.privateKey->value);
  }
  if (members.passphrase) patch.passphrase = std::move(members.passphrase->value);
  if (members.parameters) patch.parameters = std::move(members.parameters->value);
  return patch;
}

std::optional<std::string> text_in(const std::optional<NewName>& name) {
  return name ? std::optional(name->name->str()) : std::nullopt;
}

core::Trial trial_of(std::optional<bool> test) {
  return test.value_or(true) ? core::Trial::before_storing : core::Trial::none;
}

}  // namespace

Result<void> from_json(const json::value& value, Port& out) {
  std::uint64_t number = 0;
  const auto read = from_json(value, number);
  if (!read || number < 1 || number > 65535) {
    return fail(ErrorCode::invalid, "must be a whole number from 1 to 65535");
  }
  out.value = static_cast<std::uint16_t>(number);
  return {};
}

Result<void> from_json(const json::value& value, PrivateKey& out) {
  if (!value.is_string()) return fail(ErrorCode::invalid, "must be a text");
  if (raw_text_of(value).size() > kKeyLimitBytes) {
    return fail(ErrorCode::invalid, "must have at most 16 KB");
  }
  out.value = raw_text_of(value);
  return {};
}

Result<void> from_json(const json::value& value, ParameterMap& out) {
  if (!value.is_object()) return fail(ErrorCode::invalid, "must be an object");
  const json::object& object = value.get_object();
  std::size_t bytes = 0;
  for (const auto& member : object) {
    if (!member.value().is_string()) return fail(ErrorCode::invalid, "must be an object of texts");
    bytes += member.key().size() + raw_text_of(member.value()).size();
    out.value.emplace(std::string(member.key()), std::string(raw_text_of(member.value())));
  }
  if (object.size() <= kMostParameters && bytes <= kLongestParameter) return {};
  return fail(ErrorCode::invalid, "must have at most 100 members, of 16 KB together");
}

json::object Port::schema() {
  return {{"type", "integer"}, {"minimum", 1}, {"maximum", 65535}};
}

json::object PrivateKey::schema() {
  return {{"type", "string"},
          {"maxLength", kKeyLimitBytes},
          {"x-maxBytes", kKeyLimitBytes},
          {"format", "password"}};
}

json::object ParameterMap::schema() {
  return {{"type", "object"},
          {"maxProperties", kMostParameters},
          {"x-maxBytes", kLongestParameter},
          {"additionalProperties", {{"type", "string"}, {"maxLength", kLongestParameter}}}};
}

core::ConnectorOwner connector_owner_of(const core::Principal& principal) {
  core::ConnectorOwner owner;
  owner.account = principal.account->id;
  owner.asker = principal.account->role == catalog::Role::admin ? core::administrator_of(principal)
                                                                : core::asker_of(principal);
  owner.is_command = principal.is_command;
  return owner;
}

Result<core::AnyConnectorPatch> patch_of(WantedConnector body) {
  const std::string name = body.name.name->str();
  const catalog::ConnectorKind kind = body.kind;
  auto provider = std::move(body.provider);
  const core::Trial trial = trial_of(body.test);
  TRY(auto patch, common_patch_of(std::move(body)));
  patch.name = name;
  patch.kind = kind;
  if (provider) patch.provider = std::move(provider->value);
  patch.trial = trial;
  return patch;
}

Result<core::AnyConnectorPatch> patch_of(ConnectorChanges body) {
  auto name = text_in(body.name);
  const core::Trial trial = trial_of(body.test);
  TRY(auto patch, common_patch_of(std::move(body)));
  patch.name = std::move(name);
  patch.trial = trial;
  return patch;
}

Result<core::AnyConnectorPatch> patch_of(TriedConnector body) {
  if (!body.id && !body.kind) {
    return fail(ErrorCode::invalid,
                "The member \"kind\" is missing; it is required without an id.");
  }
  auto name = text_in(body.name);
  const auto kind = body.kind;
  auto provider = std::move(body.provider);
  TRY(auto patch, common_patch_of(std::move(body)));
  patch.name = std::move(name);
  if (kind) patch.kind = *kind;
  if (provider) patch.provider = std::move(provider->value);
  return patch;
}

}  // namespace coffer::api::v2
