#include "core/connectors/account_connectors.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace coffer::core {
namespace {

using catalog::Connector;
using catalog::ConnectorKind;

/// The first that is said of servers; empty if there is none.
std::string_view server_member_in(const ConnectorPatch& patch) {
  if (patch.host) return "host";
  if (patch.port) return "port";
  if (patch.user) return "user";
  if (patch.tls) return "tls";
  if (patch.host_key) return "hostKey";
  if (patch.passphrase) return "passphrase";
  return patch.secret ? "password or privateKey" : "";
}

std::unexpected<Error> foreign(std::string_view member, std::string_view kind) {
  return fail(ErrorCode::invalid, std::string(member) + " is not for connectors of this kind: a " +
                                      std::string(kind) + ".");
}

Result<void> check_kind(ConnectorKind kind, const AnyConnectorPatch& patch) {
  if (kind == ConnectorKind::drive) {
    const auto member = server_member_in(patch.server);
    return member.empty() ? Result<void>() : foreign(member, "drive has provider and parameters");
  }
  if (patch.provider) return foreign("provider", "server has host and user");
  return patch.parameters.empty() ? Result<void>()
                                  : foreign("parameters", "server has host and user");
}

/// A new one; those of a drive are the provider's to check.
Result<void> check_new(const AnyConnectorPatch& patch) {
  if (auto fits = check_kind(patch.kind, patch); !fits) return fits;
  if (patch.kind == ConnectorKind::drive) {
    return patch.provider ? Result<void>()
                          : fail(ErrorCode::invalid, "A cloud drive needs its provider.");
  }
  if (!patch.server.host) return fail(ErrorCode::invalid, "A server needs its host.");
  if (!patch.server.user) return fail(ErrorCode::invalid, "A server needs a user to log in as.");
  return {};
}

DrivePatch drive_patch_of(const AnyConnectorPatch& patch) {
  DrivePatch drive;
  static_cast<ConnectorLabels&>(drive) = patch.server;
  drive.type = patch.provider;
  drive.root = patch.server.root;
  drive.parameters = patch.parameters;
  return drive;
}

/// Whether the server that the patch names may be another than before, with a key of its own.
bool names_server(const ConnectorPatch& patch) {
  return (patch.host || patch.port) && !patch.host_key && !patch.trusts_first_key;
}

/// The server that a patch on a stored one leads to.
ConnectorPatch whole_patch(const ConnectorSettings& before, const ConnectorPatch& patch) {
  ConnectorPatch whole;
  whole.host = patch.host.value_or(before.host);
  whole.port = patch.port.value_or(before.port);
  whole.user = patch.user.value_or(before.user);
  return whole;
}

bool is_same_server(const ConnectorSettings& before, const ConnectorPatch& patch) {
  return patch.host.value_or(before.host) == before.host &&
         patch.port.value_or(before.port) == before.port;
}

ConnectorTrial passed() {
  ConnectorTrial trial;
  trial.works = true;
  return trial;
}

Task<Result<ConnectorTrial>> to_confirm(ConnectorService& servers, ConnectorPatch patch) {
  auto key = co_await servers.shown_host_key(std::move(patch));
  if (!key) co_return failure_of(std::move(key));
  ConnectorTrial trial;
  trial.host_key = *std::move(key);
  co_return trial;
}

}  // namespace

ConnectorView AccountConnectors::view_of(Connector connector) {
  ConnectorView view;
  if (connector.kind != ConnectorKind::drive) {
    if (auto settings = settings_of(connector)) {
      view.may_be_private = settings->may_be_private;
      view.server = *std::move(settings);
    }
  } else if (const auto settings = users_.drives.settings_of(connector)) {
    view.may_be_private = settings->may_be_private;
    DriveView& drive = view.drive.emplace();
    drive.type = settings->type;
    drive.root = settings->root;
    for (const auto& [name, value] : settings->parameters) {
      auto& shown = drive.parameters[name];
      if (!providers_.is_secret(settings->type, name)) shown = value;
    }
  }
  view.health = health_.health_of(connector.id);
  connector.settings.clear();
  connector.sealed_secret.clear();
  view.connector = std::move(connector);
  return view;
}

Task<Result<std::vector<ConnectorView>>> AccountConnectors::list(AccountId account) {
  auto found = co_await catalog_.connectors().list(account);
  if (!found) co_return failure_of(std::move(found));
  std::vector<ConnectorView> views;
  for (Connector& connector : *found) views.push_back(view_of(std::move(connector)));
  co_return views;
}

Task<Result<std::vector<ConnectorView>>> AccountConnectors::list_all() {
  auto found = co_await catalog_.connectors().list_all();
  if (!found) co_return failure_of(std::move(found));
  std::vector<ConnectorView> views;
  for (Connector& connector : *found) views.push_back(view_of(std::move(connector)));
  co_return views;
}

Task<Result<ConnectorView>> AccountConnectors::get(AccountId account, ConnectorId id) {
  auto connector = co_await catalog_.connectors().find(account, std::move(id));
  if (!connector) co_return failure_of(std::move(connector));
  co_return view_of(*std::move(connector));
}

Task<Result<ConnectorView>> AccountConnectors::get_any(ConnectorId id) {
  auto all = co_await catalog_.connectors().list_all();
  if (!all) co_return failure_of(std::move(all));
  const auto found = std::ranges::find(*all, id, &Connector::id);
  if (found == all->end()) co_return fail(ErrorCode::not_found, "There is no such connector.");
  co_return view_of(std::move(*found));
}

/// A drive is tried when it is stored, since a token that it renews meanwhile has to be kept.
Task<Result<Connector>> AccountConnectors::add_drive(Services& services,
                                                     const ConnectorOwner& owner,
                                                     AnyConnectorPatch patch) {
  DrivePatch drive = drive_patch_of(patch);
  auto made = co_await services.drives.add(owner.account, std::move(drive));
  if (!made || patch.trial == Trial::none) co_return made;
  auto works = co_await services.servers.test(*made);
  if (works) co_return made;
  const auto removed = co_await services.servers.remove(owner.account, made->id);
  if (!removed && removed.error().code != ErrorCode::not_found) co_return failure_of(removed);
  co_return failure_of(std::move(works));
}

Task<Result<ConnectorView>> AccountConnectors::add(ConnectorOwner owner, AnyConnectorPatch patch) {
  if (auto fits = check_new(patch); !fits) co_return failure_of(std::move(fits));
  Services& services = services_for(owner);
  patch.server.asker = owner.asker;
  Result<Connector> made = Connector();
  if (patch.kind == ConnectorKind::drive) {
    made = co_await add_drive(services, owner, std::move(patch));
  } else {
    const Trial trial = patch.trial;
    made = co_await services.servers.add(owner.account, patch.kind, std::move(patch.server), trial);
  }
  if (!made) co_return failure_of(std::move(made));
  co_return view_of(*std::move(made));
}

Task<Result<ConnectorView>> AccountConnectors::change(ConnectorOwner owner, ConnectorId id,
                                                      AnyConnectorPatch patch) {
  const auto connector = co_await catalog_.connectors().find(owner.account, id);
  if (!connector) co_return failure_of(connector);
  if (auto fits = check_kind(connector->kind, patch); !fits) co_return failure_of(std::move(fits));
  Services& services = services_for(owner);
  patch.server.asker = owner.asker;
  Result<Connector> changed = Connector();
  if (connector->kind == ConnectorKind::drive) {
    DrivePatch drive = drive_patch_of(patch);
    changed = co_await services.drives.change(owner.account, std::move(id), std::move(drive));
  } else {
    const Trial trial = patch.trial;
    changed = co_await services.servers.change(owner.account, std::move(id),
                                               std::move(patch.server), trial);
  }
  if (!changed) co_return failure_of(std::move(changed));
  co_return view_of(*std::move(changed));
}

Task<Result<void>> AccountConnectors::remove(ConnectorOwner owner, ConnectorId id) {
  co_return co_await users_.servers.remove(owner.account, std::move(id), owner.asker);
}

Task<Result<ConnectorTrial>> AccountConnectors::test(ConnectorOwner owner,
                                                     AnyConnectorPatch patch) {
  if (auto fits = check_new(patch); !fits) co_return failure_of(std::move(fits));
  Services& services = services_for(owner);
  Result<void> works;
  if (patch.kind == ConnectorKind::drive) {
    DrivePatch drive = drive_patch_of(patch);
    const auto candidate = services.drives.candidate(owner.account, std::move(drive));
    if (!candidate) co_return failure_of(candidate);
    works = co_await services.servers.test(*candidate);
  } else if (patch.kind == ConnectorKind::sftp && names_server(patch.server)) {
    co_return co_await to_confirm(services.servers, std::move(patch.server));
  } else {
    works = co_await services.servers.test_new(owner.account, patch.kind, std::move(patch.server));
  }
  if (!works) co_return failure_of(std::move(works));
  co_return passed();
}

Task<Result<ConnectorTrial>> AccountConnectors::test_changed(ConnectorOwner owner, ConnectorId id,
                                                             AnyConnectorPatch patch) {
  const auto connector = co_await catalog_.connectors().find(owner.account, id);
  if (!connector) co_return failure_of(connector);
  if (auto fits = check_kind(connector->kind, patch); !fits) co_return failure_of(std::move(fits));
  Services& services = services_for(owner);
  Result<void> works;
  if (connector->kind == ConnectorKind::drive) {
    DrivePatch drive = drive_patch_of(patch);
    const auto candidate = services.drives.candidate(*connector, drive);
    if (!candidate) co_return failure_of(candidate);
    works = co_await services.servers.test(*candidate);
  } else {
    const auto before = settings_of(*connector);
    if (!before) co_return failure_of(before);
    const bool is_unconfirmed = connector->kind == ConnectorKind::sftp &&
                                names_server(patch.server) &&
                                !is_same_server(*before, patch.server);
    if (is_unconfirmed) {
      ConnectorPatch whole = whole_patch(*before, patch.server);
      co_return co_await to_confirm(services.servers, std::move(whole));
    }
    works = co_await services.servers.test_changed(owner.account, std::move(id),
                                                   std::move(patch.server));
  }
  if (!works) co_return failure_of(std::move(works));
  co_return passed();
}

}  // namespace coffer::core
