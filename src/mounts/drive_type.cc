#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "backends/rclone/drive_backend.h"
#include "base/path.h"
#include "base/random.h"
#include "core/connectors/guarded_backend.h"
#include "mounts/connector_types.h"
#include "mounts/given_flags.h"
#include "mounts/rclone_providers.h"

namespace coffer::mounts {
namespace {

namespace json = boost::json;
using core::ConnectorPatch;
using core::ConnectorSettings;
using core::DriveParameters;
using core::value_in;

constexpr const char* kToken = "token";

std::string text_of(const json::value& value) {
  return std::string(value.as_string());
}

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

bool is_same(const ConnectorSettings& one, const ConnectorSettings& other) {
  return one.root == other.root && one.may_be_private == other.may_be_private &&
         one.parameters == other.parameters;
}

Result<void> check_provider(const ConnectorSettings& settings, const ConnectorPatch& patch) {
  if (settings.provider.empty() && !patch.provider) {
    return fail(ErrorCode::invalid, "A cloud drive needs its provider.");
  }
  if (settings.provider.empty() || !patch.provider || *patch.provider == settings.provider) {
    return {};
  }
  return fail(ErrorCode::invalid,
              "The provider cannot be changed: make another connector instead.");
}

class DriveType final : public core::ConnectorType {
 public:
  explicit DriveType(const TypeParts& parts)
      : ConnectorType(catalog::ConnectorKind::drive, core::ConnectorForm::drive),
        access_(parts.access),
        providers_(parts.providers),
        pools_(parts.pools),
        sealer_(parts.sealer),
        keep_token_(parts.keep_token) {}

  bool renews_secret() const override { return true; }

  Result<ConnectorSettings> read(const catalog::Connector& connector,
                                 std::string_view secret) const override {
    try {
      const json::object object = json::parse(connector.settings).as_object();
      ConnectorSettings settings;
      settings.provider = text_of(object.at("type"));
      settings.root = text_of(object.at("root"));
      settings.may_be_private = object.at("mayBePrivate").as_bool();
      read_given(object, settings);
      settings.revision = text_of(object.at("revision"));
      settings.login = text_of(object.at("login"));
      const json::value parameters = json::parse(json::string_view(secret.data(), secret.size()));
      for (const auto& [name, value] : parameters.as_object()) {
        settings.parameters[std::string(name)] = text_of(value);
      }
      return settings;
    } catch (const std::exception&) {
      return fail(ErrorCode::failed,
                  fmt::format("The settings of the connector {} are damaged.", connector.name));
    }
  }

  core::StoredConnector stored(const ConnectorSettings& settings,
                               const ConnectorPatch&) const override {
    json::object text = {{"type", settings.provider},
                         {"root", settings.root},
                         {"mayBePrivate", settings.may_be_private},
                         {"revision", settings.revision},
                         {"login", settings.login}};
    add_given(settings, text);
    json::object secret;
    for (const auto& [name, value] : settings.parameters) secret[name] = value;
    return {json::serialize(text), json::serialize(secret),
            fmt::format("{}:{}", settings.provider, settings.root)};
  }

  std::map<std::string, std::optional<std::string>> shown_parameters(
      const ConnectorSettings& settings) const override {
    std::map<std::string, std::optional<std::string>> shown;
    for (const auto& [name, value] : settings.parameters) {
      auto& one = shown[name];
      if (!providers_.is_secret(settings.provider, name)) one = value;
    }
    return shown;
  }

  Result<void> apply(ConnectorSettings& settings, const ConnectorPatch& patch) const override {
    TRY_VOID(check_provider(settings, patch));
    if (patch.provider) settings.provider = *patch.provider;
    if (patch.root) {
      TRY_VOID(core::check_root(*patch.root));
      settings.root = Path::parse(*patch.root)->str();
    }
    for (const auto& [name, value] : patch.parameters) {
      if (value.empty()) {
        settings.parameters.erase(name);
      } else {
        settings.parameters[name] = value;
      }
    }
    return {};
  }

  Result<void> check(const ConnectorSettings* before, const ConnectorSettings& settings,
                     const ConnectorPatch& patch) const override {
    TRY_VOID(providers_.check(settings));
    return before == nullptr ? Result<void>() : check_secrets(*before, settings, patch);
  }

  bool states_secrets(const ConnectorSettings& settings,
                      const ConnectorPatch& patch) const override {
    return std::ranges::all_of(settings.parameters, [&](const auto& parameter) {
      return !providers_.is_secret(settings.provider, parameter.first) ||
             patch.parameters.contains(parameter.first);
    });
  }

  bool states_addresses(const ConnectorSettings& settings,
                        const ConnectorPatch& patch) const override {
    const auto is_address = [&](const auto& parameter) {
      return providers_.is_address(settings.provider, parameter.first);
    };
    const auto is_stated = [&](const auto& parameter) {
      return !is_address(parameter) || patch.parameters.contains(parameter.first);
    };
    return std::ranges::any_of(settings.parameters, is_address) &&
           std::ranges::all_of(settings.parameters, is_stated);
  }

  bool is_another_place(const ConnectorSettings& before,
                        const ConnectorSettings& after) const override {
    const auto account_in = [&](const ConnectorSettings& settings, const std::string& name) {
      return providers_.account_of(settings.provider, name, value_in(settings.parameters, name));
    };
    const auto says_where = [&](const std::string& name) {
      return providers_.is_address(after.provider, name) ||
             !providers_.is_secret(after.provider, name) ||
             account_in(before, name) != account_in(after, name);
    };
    return before.root != after.root || differs(before.parameters, after.parameters, says_where);
  }

  Task<Result<void>> complete(AccountId, const ConnectorSettings* before,
                              ConnectorSettings& settings, const ConnectorPatch&) override {
    if (before != nullptr && is_same(*before, settings)) co_return Result<void>{};
    settings.revision = new_mark();
    if (before == nullptr || is_another_login(*before, settings)) settings.login = new_mark();
    co_return Result<void>{};
  }

  bool take_token(ConnectorSettings& settings, const ConnectorSettings& before,
                  const std::string& token) const override {
    const auto kept = settings.parameters.find(kToken);
    const bool is_taken = settings.login == before.login && kept != settings.parameters.end() &&
                          kept->second != token;
    if (is_taken) kept->second = token;
    return is_taken;
  }

  Result<std::shared_ptr<storage::Backend>> open(const catalog::Connector& connector,
                                                 std::string_view secret) override {
    TRY(const auto settings, read(connector, secret));
    // Before anything is started for it.
    TRY_VOID(check_drive(settings, access_.policy_for(settings.may_be_private)));
    TRY(const auto parts, access_.processes(connector.account, settings.may_be_private));
    rclone::DriveOptions options{.config = config_of(settings)};
    options.root = settings.root;
    options.spool = parts.spool;
    options.deadlines.ending = access_.ending();
    options.on_token = [this, connector](const std::string& token) {
      keep_token_(connector, token);
    };
    options.stored_token = [this, connector] { return stored_token(connector); };
    Pool& pool = pools_.of(connector.account).brief;
    TRY(auto opened,
        rclone::DriveBackend::open(std::move(options), parts.engine, parts.upload_server, pool));
    return access_.guarded(std::move(opened), connector);
  }

  void note_read(const catalog::Connector& connector) override {
    const std::lock_guard lock(mutex_);
    sealed_secrets_[connector.id.value] = connector.sealed_secret;
  }

 private:
  /// Secrets go to the addresses that they were given for.
  Result<void> check_secrets(const ConnectorSettings& before, const ConnectorSettings& after,
                             const ConnectorPatch& patch) const {
    const auto is_address = [&](const std::string& name) {
      return providers_.is_address(after.provider, name);
    };
    if (!differs(before.parameters, after.parameters, is_address)) return {};
    std::string unsaid;
    for (const auto& [name, value] : after.parameters) {
      if (!providers_.is_secret(after.provider, name) || patch.parameters.contains(name)) continue;
      unsaid += fmt::format("{}{}", unsaid.empty() ? "" : ", ", name);
    }
    if (unsaid.empty()) return {};
    return fail(ErrorCode::invalid,
                fmt::format("Another address needs the secrets said again: {}.", unsaid));
  }

  bool is_another_login(const ConnectorSettings& before, const ConnectorSettings& after) const {
    return differs(before.parameters, after.parameters, [&](const std::string& name) {
      return providers_.is_secret(after.provider, name) ||
             providers_.is_address(after.provider, name) || name == "client_id";
    });
  }

  /// The token of a drive that was asked for, as the catalog had it last; empty if it has none.
  std::string stored_token(const catalog::Connector& connector) {
    std::string sealed;
    {
      const std::lock_guard lock(mutex_);
      const auto noted = sealed_secrets_.find(connector.id.value);
      if (noted == sealed_secrets_.end()) return {};
      sealed = noted->second;
    }
    const auto text = sealer_.open(sealed);
    if (!text) return {};
    const auto settings = read(connector, *text);
    return settings ? value_in(settings->parameters, kToken) : std::string();
  }

  RemoteAccess& access_;
  core::DriveProviders& providers_;
  core::WorkPools& pools_;
  const core::Sealer& sealer_;
  const decltype(TypeParts::keep_token) keep_token_;
  std::mutex mutex_;
  std::map<std::string, std::string> sealed_secrets_;  ///< By id, as they were read last.
};

}  // namespace

std::unique_ptr<core::ConnectorType> drive_type(const TypeParts& parts) {
  return std::make_unique<DriveType>(parts);
}

}  // namespace coffer::mounts
