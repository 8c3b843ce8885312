#include "core/connectors/drive_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/path.h"
#include "base/random.h"

namespace coffer::core {
namespace {

using catalog::Connector;

constexpr const char* kToken = "token";

std::string new_mark() {
  return random_hex(8);
}

/// True if `matters` says so of a parameter that is not what it was.
template <class F>
bool differs(const DriveParameters& before, const DriveParameters& after, F matters) {
  std::set<std::string> names;
  for (const auto& [name, value] : before) names.insert(name);
  for (const auto& [name, value] : after) names.insert(name);
  return std::ranges::any_of(names, [&](const std::string& name) {
    return value_in(before, name) != value_in(after, name) && matters(name);
  });
}

bool is_same(const DriveSettings& one, const DriveSettings& other) {
  return one.root == other.root && one.may_be_private == other.may_be_private &&
         one.parameters == other.parameters;
}

}  // namespace

Result<DriveSettings> DriveService::settings_of(const Connector& connector) const {
  const auto secret = sealer_.open(connector.sealed_secret);
  if (!secret) return failure_of(secret);
  return drive_settings_of(connector, *secret);
}

Result<DriveSettings> DriveService::merged(DriveSettings settings, const DrivePatch& patch) const {
  if (patch.type && *patch.type != settings.type) {
    return fail(ErrorCode::invalid,
                "The provider cannot be changed: make another connector instead.");
  }
  if (patch.root) {
    if (auto rooted = check_root(*patch.root); !rooted) return failure_of(std::move(rooted));
    settings.root = Path::parse(*patch.root)->str();
  }
  for (const auto& [name, value] : patch.parameters) {
    if (value.empty()) {
      settings.parameters.erase(name);
    } else {
      settings.parameters[name] = value;
    }
  }
  return settings;
}

/// An administrator vouches for a drive all of whose addresses are stated at once; a drive that
/// another user leads elsewhere has no such promise.
bool DriveService::may_be_private(const DriveSettings& before, const DriveSettings& after,
                                  const DrivePatch& patch) const {
  if (!by_admin_) return before.may_be_private && !target_changed(before, after);
  const auto is_address = [&](const auto& parameter) {
    return providers_.is_address(after.type, parameter.first);
  };
  const auto is_stated = [&](const auto& parameter) {
    return !is_address(parameter) || patch.parameters.contains(parameter.first);
  };
  return before.may_be_private || (std::ranges::any_of(after.parameters, is_address) &&
                                   std::ranges::all_of(after.parameters, is_stated));
}

Result<DriveSettings> DriveService::fresh(const DrivePatch& patch) const {
  if (!patch.type) return fail(ErrorCode::invalid, "A cloud drive needs its provider.");
  DriveSettings settings;
  settings.type = *patch.type;
  settings.may_be_private = by_admin_;
  settings.revision = new_mark();
  settings.login = new_mark();
  return merged(std::move(settings), patch);
}

Result<catalog::NewConnector> DriveService::described(AccountId account, ConnectorLabels labels,
                                                      const DriveSettings& settings) const {
  auto wanted = new_connector(account, catalog::ConnectorKind::drive, std::move(labels));
  if (!wanted) return wanted;
  if (auto whole = providers_.check(settings); !whole) return failure_of(std::move(whole));
  wanted->target = target_of(settings);
  wanted->settings = to_text(settings);
  wanted->sealed_secret = sealer_.seal(to_text(settings.parameters));
  return wanted;
}

Result<Connector> DriveService::candidate(AccountId account, DrivePatch patch) const {
  if (!patch.name) patch.name = "The drive";
  const auto settings = fresh(patch);
  if (!settings) return failure_of(settings);
  const auto wanted = described(account, std::move(patch), *settings);
  if (!wanted) return failure_of(wanted);
  return candidate_of(*wanted);
}

Result<Connector> DriveService::candidate(const Connector& connector,
                                          const DrivePatch& patch) const {
  const auto change = changed(connector, patch);
  if (!change) return failure_of(change);
  Connector made = connector;
  if (!*change || !(*change)->settings) return made;
  made.id = {};
  made.settings = *(*change)->settings;
  made.sealed_secret = (*change)->sealed_secret.value_or(connector.sealed_secret);
  return made;
}

Task<Result<Connector>> DriveService::store(AccountId account, ConnectorLabels labels,
                                            DriveSettings settings) {
  auto wanted = described(account, std::move(labels), settings);
  if (!wanted) co_return failure_of(std::move(wanted));
  co_return co_await catalog_.connectors().create(*std::move(wanted));
}

Task<Result<Connector>> DriveService::add(AccountId account, DrivePatch patch) {
  auto settings = fresh(patch);
  if (!settings) co_return failure_of(std::move(settings));
  ConnectorLabels labels = std::move(patch);
  co_return co_await store(account, std::move(labels), *std::move(settings));
}

Result<void> DriveService::check_login(const DriveSettings& settings) const {
  if (auto allowed = providers_.check_options(settings); !allowed) return allowed;
  if (providers_.uses_oauth(settings.type)) return providers_.check_before_login(settings);
  return fail(ErrorCode::invalid,
              fmt::format("{} is not logged in to in a browser: give it parameters instead.",
                          settings.type));
}

Result<DriveSettings> DriveService::before_login(const DrivePatch& patch) const {
  auto settings = fresh(patch);
  if (!settings) return settings;
  if (auto fits = check_login(*settings); !fits) return failure_of(std::move(fits));
  return settings;
}

Result<DriveSettings> DriveService::before_login(const Connector& connector,
                                                 const DrivePatch& patch) const {
  const auto wanted = candidate(connector, patch);
  return wanted ? may_renew(*wanted) : failure_of(wanted);
}

Task<Result<void>> DriveService::may_log_in(AccountId account, DrivePatch patch) {
  const auto wanted = new_connector(account, catalog::ConnectorKind::drive, patch);
  if (!wanted) co_return failure_of(wanted);
  const auto settings = fresh(patch);
  if (!settings) co_return failure_of(settings);
  if (auto fits = check_login(*settings); !fits) co_return fits;
  const auto connectors = co_await catalog_.connectors().list(account);
  if (!connectors) co_return failure_of(connectors);
  if (std::ranges::find(*connectors, wanted->name, &Connector::name) != connectors->end()) {
    co_return fail(ErrorCode::exists, "A connector with this name exists already.");
  }
  co_return Result<void>{};
}

DriveParameters DriveService::allowed(const std::string& type, DriveParameters login) const {
  auto token = login.extract(kToken);  // Its own errors are to be shown.
  DriveParameters allowed = providers_.only_allowed(type, std::move(login));
  allowed.insert(std::move(token));
  return allowed;
}

Task<Result<Connector>> DriveService::add_with_login(AccountId account, DrivePatch patch,
                                                     DriveParameters login) {
  auto may = co_await may_log_in(account, patch);
  if (!may) co_return failure_of(std::move(may));
  patch.parameters.erase(kToken);
  patch.parameters.merge(allowed(*patch.type, std::move(login)));
  auto settings = fresh(patch);
  if (!settings) co_return failure_of(std::move(settings));
  if (auto fits = check_login(*settings); !fits) co_return failure_of(std::move(fits));
  auto parameters = co_await providers_.log_in(*settings);
  if (!parameters) co_return failure_of(std::move(parameters));
  settings->parameters = *std::move(parameters);
  ConnectorLabels labels = std::move(patch);
  co_return co_await store(account, std::move(labels), *std::move(settings));
}

/// Secrets go to the addresses that they were given for.
Result<void> DriveService::check_secrets(const DriveSettings& before, const DriveSettings& after,
                                         const DrivePatch& patch) const {
  const auto is_address = [&](const std::string& name) {
    return providers_.is_address(after.type, name);
  };
  if (!differs(before.parameters, after.parameters, is_address)) return {};
  std::string unsaid;
  for (const auto& [name, value] : after.parameters) {
    if (!providers_.is_secret(after.type, name) || patch.parameters.contains(name)) continue;
    unsaid += fmt::format("{}{}", unsaid.empty() ? "" : ", ", name);
  }
  if (unsaid.empty()) return {};
  return fail(ErrorCode::invalid,
              fmt::format("Another address needs the secrets said again: {}.", unsaid));
}

/// True if a path in the connector means something else than before.
bool DriveService::target_changed(const DriveSettings& before, const DriveSettings& after) const {
  const auto account_in = [&](const DriveSettings& settings, const std::string& name) {
    return providers_.account_of(settings.type, name, value_in(settings.parameters, name));
  };
  const auto says_where = [&](const std::string& name) {
    return providers_.is_address(after.type, name) || !providers_.is_secret(after.type, name) ||
           account_in(before, name) != account_in(after, name);
  };
  return before.root != after.root || differs(before.parameters, after.parameters, says_where);
}

bool DriveService::is_another_login(const DriveSettings& before, const DriveSettings& after) const {
  return differs(before.parameters, after.parameters, [&](const std::string& name) {
    return providers_.is_secret(after.type, name) || providers_.is_address(after.type, name) ||
           name == "client_id";
  });
}

Result<DriveService::Change> DriveService::changed(const Connector& connector,
                                                   const DrivePatch& patch) const {
  if (connector.kind != catalog::ConnectorKind::drive) {
    return fail(ErrorCode::invalid, "This connector is no cloud drive.");
  }
  const auto before = settings_of(connector);
  if (!before) return failure_of(before);
  auto after = merged(*before, patch);
  if (!after) return failure_of(std::move(after));
  after->may_be_private = may_be_private(*before, *after, patch);
  if (auto whole = providers_.check(*after); !whole) return failure_of(std::move(whole));
  if (auto said = check_secrets(*before, *after, patch); !said) return failure_of(std::move(said));
  catalog::ConnectorChange change = change_of(patch);
  if (is_same(*before, *after)) return change;
  after->revision = new_mark();
  if (is_another_login(*before, *after)) after->login = new_mark();
  change.target = target_of(*after);
  change.settings = to_text(*after);
  change.sealed_secret = sealer_.seal(to_text(after->parameters));
  change.replaced_secret = connector.sealed_secret;
  change.target_changed = target_changed(*before, *after);
  return change;
}

Task<Result<Connector>> DriveService::update(AccountId account, ConnectorId id, Changer changer) {
  constexpr int kTries = 8;
  for (int tried = 1;; ++tried) {
    auto connector = co_await catalog_.connectors().find(account, id);
    if (!connector) co_return connector;
    auto change = changer(*connector);
    if (!change) co_return failure_of(std::move(change));
    if (!*change) co_return connector;
    auto stored = co_await catalog_.connectors().set(account, connector->id, **std::move(change));
    const bool is_outrun = !stored && stored.error() == catalog::kConflict;
    if (!is_outrun || tried == kTries) co_return stored;
  }
}

Task<Result<Connector>> DriveService::change(AccountId account, ConnectorId id, DrivePatch patch) {
  const ConnectorLabels& labels = patch;
  if (auto formed = check(labels); !formed) co_return failure_of(std::move(formed));
  Changer changer = [&](const Connector& now) { return changed(now, patch); };
  co_return co_await update(account, std::move(id), std::move(changer));
}

Result<DriveSettings> DriveService::may_renew(const Connector& connector) const {
  if (connector.kind != catalog::ConnectorKind::drive) {
    return fail(ErrorCode::invalid, "This connector is no cloud drive.");
  }
  auto settings = settings_of(connector);
  if (!settings) return settings;
  if (auto fits = check_login(*settings); !fits) return failure_of(std::move(fits));
  return settings;
}

Task<Result<Connector>> DriveService::renew_login(AccountId account, ConnectorId id,
                                                  DriveParameters login) {
  const auto connector = co_await catalog_.connectors().find(account, id);
  if (!connector) co_return failure_of(connector);
  auto settings = may_renew(*connector);
  if (!settings) co_return failure_of(std::move(settings));
  DrivePatch patch;
  patch.parameters = allowed(settings->type, std::move(login));
  for (const auto& [name, value] : patch.parameters) settings->parameters[name] = value;
  if (auto fits = check_login(*settings); !fits) co_return failure_of(std::move(fits));
  const auto told = co_await providers_.log_in(*std::move(settings));
  if (!told) co_return failure_of(told);
  // What else the dialogue says was settled when the drive was set up.
  for (auto& [name, value] : patch.parameters) {
    if (const auto found = told->find(name); found != told->end()) value = found->second;
  }
  co_return co_await change(account, std::move(id), std::move(patch));
}

Result<DriveService::Change> DriveService::with_token(const Connector& now, const Connector& before,
                                                      const std::string& token) const {
  auto settings = settings_of(now);
  if (!settings) return failure_of(std::move(settings));
  const auto known = settings_of(before);
  if (!known) return failure_of(known);
  const auto kept = settings->parameters.find(kToken);
  if (settings->login != known->login || kept == settings->parameters.end() ||
      kept->second == token) {
    return std::nullopt;
  }
  kept->second = token;
  if (auto whole = providers_.check(*settings); !whole) return failure_of(std::move(whole));
  catalog::ConnectorChange change;
  change.sealed_secret = sealer_.seal(to_text(settings->parameters));
  change.replaced_secret = now.sealed_secret;
  return change;
}

Task<Result<void>> DriveService::keep_token(Connector connector, std::string token) {
  Changer changer = [&](const Connector& now) { return with_token(now, connector, token); };
  const auto kept = co_await update(connector.account, connector.id, std::move(changer));
  if (!kept && kept.error().code != ErrorCode::not_found) co_return failure_of(kept);
  co_return Result<void>{};
}

}  // namespace coffer::core
