#include "core/connectors/drive_authorization.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "base/ascii.h"
#include "base/base64.h"

namespace coffer::core {
namespace {

/// rclone takes base64 without padding.
constexpr bool kPadded = false;

using catalog::Connector;

constexpr const char* kToken = "token";
constexpr auto kDrive = catalog::ConnectorKind::drive;

}  // namespace

std::string authorize_command(const ConnectorSettings& settings, DriveProviders& providers) {
  boost::json::object told;
  for (const auto& [name, value] : settings.parameters) {
    if (!providers.is_secret(settings.provider, name)) told[name] = value;
  }
  // Without parameters, rclone would not print what else the provider said, as the host of pcloud.
  return fmt::format("rclone authorize \"{}\" \"{}\"", settings.provider,
                     to_base64(boost::json::serialize(told), kPadded));
}

std::string authorize_environment(const ConnectorSettings& settings) {
  if (!settings.parameters.contains("client_secret")) return {};
  const bool is_short = settings.provider == "google cloud storage";
  return fmt::format("RCLONE_{}_CLIENT_SECRET", is_short ? "GCS" : to_upper(settings.provider));
}

Result<void> DriveAuthorization::check_drive(const Connector& connector) const {
  if (connectors_.type_of(connector.kind).is_drive()) return {};
  return fail(ErrorCode::invalid, "This connector is no cloud drive.");
}

Result<void> DriveAuthorization::check_login(const ConnectorSettings& settings) const {
  TRY_VOID(providers_.check_options(settings));
  if (providers_.uses_oauth(settings.provider)) return providers_.check_before_login(settings);
  return fail(ErrorCode::invalid,
              fmt::format("{} is not logged in to in a browser: give it parameters instead.",
                          settings.provider));
}

Result<ConnectorSettings> DriveAuthorization::before_login(const ConnectorPatch& patch) const {
  TRY(auto settings, connectors_.fresh(kDrive, patch));
  TRY_VOID(check_login(settings));
  return settings;
}

Task<Result<ConnectorSettings>> DriveAuthorization::before_login(
    const Connector& connector, const ConnectorPatch& patch) const {
  CO_TRY_VOID(check_drive(connector));
  CO_TRY(auto changed, co_await connectors_.changed(connector, patch));
  CO_TRY_VOID(check_login(changed.after));
  co_return std::move(changed.after);
}

Result<ConnectorSettings> DriveAuthorization::may_renew(const Connector& connector) const {
  TRY_VOID(check_drive(connector));
  TRY(auto settings, connectors_.settings_of(connector));
  TRY_VOID(check_login(settings));
  return settings;
}

Task<Result<void>> DriveAuthorization::may_log_in(AccountId account, ConnectorPatch patch) {
  CO_TRY(const auto wanted, new_connector(account, kDrive, patch));
  const auto settings = before_login(patch);
  if (!settings) co_return failure_of(settings);
  CO_TRY(const auto connectors, co_await connectors_.list(account));
  if (std::ranges::find(connectors, wanted.name, &Connector::name) != connectors.end()) {
    co_return fail(ErrorCode::exists, "A connector with this name exists already.");
  }
  co_return Result<void>{};
}

DriveParameters DriveAuthorization::allowed(const std::string& provider,
                                            DriveParameters login) const {
  auto token = login.extract(kToken);  // A bad token has to be reported.
  DriveParameters allowed = providers_.only_allowed(provider, std::move(login));
  allowed.insert(std::move(token));
  return allowed;
}

Task<Result<Connector>> DriveAuthorization::add_with_login(AccountId account, ConnectorPatch patch,
                                                           DriveParameters login) {
  CO_TRY_VOID(co_await may_log_in(account, patch));
  patch.parameters.erase(kToken);
  patch.parameters.merge(allowed(*patch.provider, std::move(login)));
  CO_TRY(auto settings, before_login(patch));
  CO_TRY(settings.parameters, co_await providers_.log_in(settings));
  co_return co_await connectors_.store(account, kDrive, std::move(patch), std::move(settings));
}

Task<Result<Connector>> DriveAuthorization::renew_login(AccountId account, ConnectorId id,
                                                        DriveParameters login) {
  CO_TRY(const auto connector, co_await connectors_.get(account, id));
  CO_TRY(auto settings, may_renew(connector));
  ConnectorPatch patch;
  patch.parameters = allowed(settings.provider, std::move(login));
  for (const auto& [name, value] : patch.parameters) settings.parameters[name] = value;
  CO_TRY_VOID(check_login(settings));
  CO_TRY(const auto told, co_await providers_.log_in(std::move(settings)));
  // Other parameters were set when the drive was set up.
  for (auto& [name, value] : patch.parameters) {
    if (const auto found = told.find(name); found != told.end()) value = found->second;
  }
  co_return co_await connectors_.change(account, std::move(id), std::move(patch));
}

}  // namespace coffer::core
