#include "core/connectors/account_connectors.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace coffer::core {
namespace {

using catalog::Connector;
using catalog::ConnectorKind;

/// True if the patch may name another server than before, which has a host key of its own.
bool names_server(const ConnectorPatch& patch) {
  return (patch.host || patch.port) && !patch.host_key && !patch.trusts_first_key;
}

/// The server that a stored connector leads to after the patch.
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

Task<Result<ConnectorTrial>> to_confirm(ConnectorService& service, AccountId account,
                                        ConnectorKind kind, ConnectorPatch patch) {
  ConnectorTrial trial;
  CO_TRY(trial.host_key, co_await service.shown_host_key(account, kind, std::move(patch)));
  co_return trial;
}

}  // namespace

/// The parameters of a drive are checked by its provider.
Result<void> AccountConnectors::check_new(const AnyConnectorPatch& patch) const {
  const ConnectorForm form = users_.type_of(patch.kind).form();
  TRY_VOID(check_form(form, patch));
  if (form == ConnectorForm::drive) {
    return patch.provider ? Result<void>()
                          : fail(ErrorCode::invalid, "A cloud drive needs its provider.");
  }
  if (!patch.host) return fail(ErrorCode::invalid, "A server needs its host.");
  if (!patch.user) return fail(ErrorCode::invalid, "A server needs a user to log in as.");
  return {};
}

ConnectorView AccountConnectors::view_of(Connector connector) {
  ConnectorView view;
  const ConnectorType& type = users_.type_of(connector.kind);
  if (auto settings = users_.settings_of(connector)) {
    view.may_be_private = settings->may_be_private;
    if (type.is_drive()) {
      view.drive = DriveView{settings->provider, settings->root, type.shown_parameters(*settings)};
    } else {
      view.server = *std::move(settings);
    }
  }
  view.health = health_.health_of(connector.id);
  connector.settings.clear();
  connector.sealed_secret.clear();
  view.connector = std::move(connector);
  return view;
}

std::vector<ConnectorView> AccountConnectors::views_of(std::vector<Connector> connectors) {
  std::vector<ConnectorView> views;
  for (Connector& connector : connectors) views.push_back(view_of(std::move(connector)));
  return views;
}

Task<Result<std::vector<ConnectorView>>> AccountConnectors::list(AccountId account) {
  CO_TRY(auto found, co_await users_.list(account));
  co_return views_of(std::move(found));
}

Task<Result<std::vector<ConnectorView>>> AccountConnectors::list_all() {
  CO_TRY(auto found, co_await catalog_.connectors().list_all());
  co_return views_of(std::move(found));
}

Task<Result<ConnectorView>> AccountConnectors::get(AccountId account, ConnectorId id) {
  CO_TRY(auto connector, co_await users_.get(account, std::move(id)));
  co_return view_of(std::move(connector));
}

Task<Result<ConnectorView>> AccountConnectors::get_any(ConnectorId id) {
  CO_TRY(auto all, co_await catalog_.connectors().list_all());
  const auto found = std::ranges::find(all, id, &Connector::id);
  if (found == all.end()) co_return fail(ErrorCode::not_found, "There is no such connector.");
  co_return view_of(std::move(*found));
}

Task<Result<ConnectorView>> AccountConnectors::add(ConnectorOwner owner, AnyConnectorPatch patch) {
  CO_TRY_VOID(check_new(patch));
  patch.asker = owner.asker;
  CO_TRY(auto made, co_await service_for(owner).add(owner.account, patch.kind, patch, patch.trial));
  co_return view_of(std::move(made));
}

Task<Result<ConnectorView>> AccountConnectors::change(ConnectorOwner owner, ConnectorId id,
                                                      AnyConnectorPatch patch) {
  CO_TRY(const auto connector, co_await users_.get(owner.account, id));
  const ConnectorForm form = users_.type_of(connector.kind).form();
  CO_TRY_VOID(check_form(form, patch));
  patch.asker = owner.asker;
  CO_TRY(auto changed,
         co_await service_for(owner).change(owner.account, std::move(id), patch, patch.trial));
  co_return view_of(std::move(changed));
}

Task<Result<void>> AccountConnectors::remove(ConnectorOwner owner, ConnectorId id) {
  co_return co_await users_.remove(owner.account, std::move(id), owner.asker);
}

Task<Result<ConnectorTrial>> AccountConnectors::test(ConnectorOwner owner,
                                                     AnyConnectorPatch patch) {
  CO_TRY_VOID(check_new(patch));
  ConnectorService& service = service_for(owner);
  if (service.type_of(patch.kind).has_host_key() && names_server(patch)) {
    co_return co_await to_confirm(service, owner.account, patch.kind, patch);
  }
  CO_TRY_VOID(co_await service.test_new(owner.account, patch.kind, patch));
  co_return passed();
}

Task<Result<ConnectorTrial>> AccountConnectors::test_changed(ConnectorOwner owner, ConnectorId id,
                                                             AnyConnectorPatch patch) {
  CO_TRY(const auto connector, co_await users_.get(owner.account, id));
  ConnectorService& service = service_for(owner);
  const ConnectorType& type = service.type_of(connector.kind);
  CO_TRY_VOID(check_form(type.form(), patch));
  if (type.has_host_key() && names_server(patch)) {
    CO_TRY(const auto before, service.settings_of(connector));
    if (!is_same_server(before, patch)) {
      ConnectorPatch whole = whole_patch(before, patch);
      co_return co_await to_confirm(service, owner.account, connector.kind, std::move(whole));
    }
  }
  CO_TRY_VOID(co_await service.test_changed(owner.account, std::move(id), patch));
  co_return passed();
}

}  // namespace coffer::core
