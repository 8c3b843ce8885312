#include "core/connectors/drive_authorization.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coffer::core {
namespace {

using catalog::Connector;

constexpr const char* kToken = "token";
constexpr auto kDrive = catalog::ConnectorKind::drive;

}  // namespace

Result<void> DriveAuthorization::check_drive(const Connector& connector) const {
  if (connectors_.type_of(connector.kind).is_drive()) return {};
  return fail(ErrorCode::invalid, "This connector is no cloud drive.");
}

Result<void> DriveAuthorization::check_login(const ConnectorSettings& settings) const {
  if (auto allowed = providers_.check_options(settings); !allowed) return allowed;
  if (providers_.uses_oauth(settings.provider)) return providers_.check_before_login(settings);
  return fail(ErrorCode::invalid,
              fmt::format("{} is not logged in to in a browser: give it parameters instead.",
                          settings.provider));
}

Result<ConnectorSettings> DriveAuthorization::before_login(const ConnectorPatch& patch) const {
  auto settings = connectors_.fresh(kDrive, patch);
  if (!settings) return settings;
  if (auto fits = check_login(*settings); !fits) return failure_of(std::move(fits));
  return settings;
}

Task<Result<ConnectorSettings>> DriveAuthorization::before_login(
    const Connector& connector, const ConnectorPatch& patch) const {
  if (auto fits = check_drive(connector); !fits) co_return failure_of(std::move(fits));
  auto changed = co_await connectors_.changed(connector, patch);
  if (!changed) co_return failure_of(std::move(changed));
  if (auto fits = check_login(changed->after); !fits) co_return failure_of(std::move(fits));
  co_return std::move(changed->after);
}

Result<ConnectorSettings> DriveAuthorization::may_renew(const Connector& connector) const {
  if (auto fits = check_drive(connector); !fits) return failure_of(std::move(fits));
  auto settings = connectors_.settings_of(connector);
  if (!settings) return settings;
  if (auto fits = check_login(*settings); !fits) return failure_of(std::move(fits));
  return settings;
}

Task<Result<void>> DriveAuthorization::may_log_in(AccountId account, ConnectorPatch patch) {
  const auto wanted = new_connector(account, kDrive, patch);
  if (!wanted) co_return failure_of(wanted);
  const auto settings = before_login(patch);
  if (!settings) co_return failure_of(settings);
  const auto connectors = co_await connectors_.list(account);
  if (!connectors) co_return failure_of(connectors);
  if (std::ranges::find(*connectors, wanted->name, &Connector::name) != connectors->end()) {
    co_return fail(ErrorCode::exists, "A connector with this name exists already.");
  }
  co_return Result<void>{};
}

DriveParameters DriveAuthorization::allowed(const std::string& provider,
                                            DriveParameters login) const {
  auto token = login.extract(kToken);  // Its own errors are to be shown.
  DriveParameters allowed = providers_.only_allowed(provider, std::move(login));
  allowed.insert(std::move(token));
  return allowed;
}

Task<Result<Connector>> DriveAuthorization::add_with_login(AccountId account, ConnectorPatch patch,
                                                           DriveParameters login) {
  auto may = co_await may_log_in(account, patch);
  if (!may) co_return failure_of(std::move(may));
  patch.parameters.erase(kToken);
  patch.parameters.merge(allowed(*patch.provider, std::move(login)));
  auto settings = before_login(patch);
  if (!settings) co_return failure_of(std::move(settings));
  auto parameters = co_await providers_.log_in(*settings);
  if (!parameters) co_return failure_of(std::move(parameters));
  settings->parameters = *std::move(parameters);
  co_return co_await connectors_.store(account, kDrive, std::move(patch), *std::move(settings));
}

Task<Result<Connector>> DriveAuthorization::renew_login(AccountId account, ConnectorId id,
                                                        DriveParameters login) {
  const auto connector = co_await connectors_.get(account, id);
  if (!connector) co_return failure_of(connector);
  auto settings = may_renew(*connector);
  if (!settings) co_return failure_of(std::move(settings));
  ConnectorPatch patch;
  patch.parameters = allowed(settings->provider, std::move(login));
  for (const auto& [name, value] : patch.parameters) settings->parameters[name] = value;
  if (auto fits = check_login(*settings); !fits) co_return failure_of(std::move(fits));
  const auto told = co_await providers_.log_in(*std::move(settings));
  if (!told) co_return failure_of(told);
  // What else the dialogue says was settled when the drive was set up.
  for (auto& [name, value] : patch.parameters) {
    if (const auto found = told->find(name); found != told->end()) value = found->second;
  }
  co_return co_await connectors_.change(account, std::move(id), std::move(patch));
}

}  // namespace coffer::core
