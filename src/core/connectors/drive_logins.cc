#include "core/connectors/drive_logins.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <exception>
#include <utility>

#include "base/encoding.h"
#include "base/random.h"
#include "base/text.h"

namespace coffer::core {
namespace {

namespace json = boost::json;

/// Tells a login from other texts that are sealed with the same key.
constexpr const char* kPurpose = "login to a drive";

std::string text_in(const json::object& object, std::string_view name) {
  return std::string(object.at({name.data(), name.size()}).as_string());
}

PendingLogin read(const json::object& object) {
  if (text_in(object, "purpose") != kPurpose) throw std::invalid_argument("another purpose");
  PendingLogin login;
  login.account = AccountId{object.at("account").as_int64()};
  login.by_administrator = object.at("byAdministrator").as_bool();
  login.expires_at = timestamp_of(object.at("expires").as_int64());
  login.redirect = text_in(object, "redirect");
  login.verifier = text_in(object, "verifier");
  login.settings.provider = text_in(object, "type");
  login.settings.may_be_private = object.at("mayBePrivate").as_bool();
  for (const auto& [name, value] : object.at("parameters").as_object()) {
    login.settings.parameters[std::string(name)] = std::string(value.as_string());
  }
  return login;
}

/// SHA-256 in base64url without signs at its end (RFC 4648, section 5).
std::string digest_of(std::string_view text) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size());
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, kVariant)> encoded;
  return sodium_bin2base64(encoded.data(), encoded.size(), digest.data(), digest.size(), kVariant);
}

constexpr const char* kTokenParameter = "token";
/// In hexadecimal 64 characters (RFC 7636, section 4.1).
constexpr std::size_t kVerifierBytes = 32;

std::string address_of(const OAuthServer& server, const PendingLogin& login,
                       std::string_view sealed) {
  FormFields fields = {{"response_type", "code"},
                       {"client_id", value_in(login.settings.parameters, "client_id")},
                       {"redirect_uri", login.redirect},
                       {"state", state_of(sealed)},
                       {"code_challenge", challenge_of(login.verifier)},
                       {"code_challenge_method", "S256"}};
  if (!server.scope.empty()) fields.emplace_back("scope", server.scope);
  for (const auto& word : server.words) fields.push_back(word);
  const char mark = server.authorize_url.contains('?') ? '&' : '?';
  return fmt::format("{}{}{}", server.authorize_url, mark, to_form(fields));
}

/// `invalid` for settings that have no login by token.
Result<void> check_login(DriveProviders& providers, const ConnectorSettings& settings) {
  TRY_VOID(providers.check_options(settings));
  if (providers.uses_oauth(settings.provider)) return providers.check_before_login(settings);
  return fail(ErrorCode::invalid,
              fmt::format("{} is not logged in to in a browser: give it parameters instead.",
                          settings.provider));
}

}  // namespace

std::string authorize_command(const ConnectorSettings& settings, DriveProviders& providers) {
  constexpr bool kPadded = false;  // rclone takes base64 without padding.
  json::object told;
  for (const auto& [name, value] : settings.parameters) {
    if (!providers.is_secret(settings.provider, name)) told[name] = value;
  }
  // Without parameters, rclone would not print what else the provider said, as the host of pcloud.
  return fmt::format("rclone authorize \"{}\" \"{}\"", settings.provider,
                     to_base64(json::serialize(told), kPadded));
}

std::string authorize_environment(const ConnectorSettings& settings) {
  if (!settings.parameters.contains("client_secret")) return {};
  const bool is_short = settings.provider == "google cloud storage";
  return fmt::format("RCLONE_{}_CLIENT_SECRET", is_short ? "GCS" : to_upper(settings.provider));
}

std::string seal_login(const PendingLogin& login, const Sealer& sealer) {
  json::object parameters;
  for (const auto& [name, value] : login.settings.parameters) parameters[name] = value;
  const auto expires = std::chrono::floor<std::chrono::seconds>(login.expires_at);
  return sealer.seal(json::serialize(json::object{{"purpose", kPurpose},
                                                  {"account", login.account.value},
                                                  {"byAdministrator", login.by_administrator},
                                                  {"expires", expires.time_since_epoch().count()},
                                                  {"redirect", login.redirect},
                                                  {"verifier", login.verifier},
                                                  {"type", login.settings.provider},
                                                  {"mayBePrivate", login.settings.may_be_private},
                                                  {"parameters", std::move(parameters)}}));
}

std::unexpected<Error> unknown_login() {
  return fail(ErrorCode::invalid,
              "The login was not begun here, or it was altered: begin it again.");
}

Result<PendingLogin> open_login(std::string_view sealed, const Sealer& sealer) {
  const auto text = sealer.open(sealed);
  if (!text) return unknown_login();
  try {
    return read(json::parse(*text).as_object());
  } catch (const std::exception&) {
    return unknown_login();
  }
}

std::string state_of(std::string_view sealed) {
  return digest_of(sealed);
}

std::string challenge_of(std::string_view verifier) {
  return digest_of(verifier);
}

Task<Result<ConnectorSettings>> DriveLogins::settings_for(const ConnectorOwner& owner,
                                                          std::optional<ConnectorId> id,
                                                          const ConnectorPatch& patch) {
  ConnectorService& service = connectors_.service_for(owner);
  ConnectorSettings settings;
  if (id) {
    CO_TRY(const auto connector, co_await service.get(owner.account, *std::move(id)));
    if (!service.type_of(connector.kind).is_drive()) {
      co_return fail(ErrorCode::invalid, "This connector is no cloud drive.");
    }
    CO_TRY(auto changed, co_await service.changed(connector, patch));
    settings = std::move(changed.after);
  } else {
    CO_TRY(settings, service.fresh(catalog::ConnectorKind::drive, patch));
  }
  CO_TRY_VOID(check_login(providers_, settings));
  co_return settings;
}

Task<Result<BegunLogin>> DriveLogins::begin(ConnectorOwner owner, std::optional<ConnectorId> id,
                                            ConnectorPatch patch, std::string redirect) {
  patch.parameters.erase(kTokenParameter);  // The login is for a new one.
  CO_TRY(auto settings, co_await settings_for(owner, std::move(id), patch));
  settings.parameters.erase(kTokenParameter);
  BegunLogin begun;
  begun.command = authorize_command(settings, providers_);
  begun.secret_variable = authorize_environment(settings);
  const auto server = providers_.oauth_server(settings);
  if (!server || value_in(settings.parameters, "client_id").empty()) co_return begun;
  PendingLogin login;
  login.account = owner.account;
  login.by_administrator = owner.by_administrator();
  login.expires_at = std::chrono::floor<std::chrono::seconds>(now() + kLife);
  login.redirect = std::move(redirect);
  login.verifier = random_hex(kVerifierBytes);
  login.settings = std::move(settings);
  begun.login = seal_login(login, sealer_);
  begun.address = address_of(*server, login, begun.login);
  begun.expires_at = login.expires_at;
  co_return begun;
}

Result<PendingLogin> DriveLogins::pending(const ConnectorOwner& owner,
                                          const FinishedLogin& finished) const {
  TRY(auto login, open_login(finished.login, sealer_));
  if (login.account != owner.account) {
    return fail(ErrorCode::invalid, "Another account began the login: begin it again.");
  }
  if (login.expires_at <= now()) {
    return fail(
        ErrorCode::invalid,
        fmt::format("The login took longer than {} minutes: begin it again.", kLife.count()));
  }
  if (login.by_administrator && !owner.by_administrator()) {
    return fail(ErrorCode::invalid, "An administrator began the login: begin it again.");
  }
  if (finished.state != state_of(finished.login)) {
    return fail(ErrorCode::invalid,
                "The state is not the one that the login was begun with: begin it again.");
  }
  return login;
}

Task<Result<DriveParameters>> DriveLogins::end(ConnectorOwner owner, FinishedLogin finished) {
  CO_TRY(auto login, pending(owner, finished));
  ConnectorSettings& settings = login.settings;
  const auto server = providers_.oauth_server(settings);
  if (!server) co_return fail(ErrorCode::invalid, "The provider has no such login any more.");
  CodeGrant grant;
  grant.token_url = server->token_url;
  grant.token_type = server->token_type;
  grant.code = std::move(finished.code);
  grant.redirect = login.redirect;
  grant.client_id = value_in(settings.parameters, "client_id");
  grant.client_secret = value_in(settings.parameters, "client_secret");
  grant.verifier = login.verifier;
  CO_TRY(settings.parameters[kTokenParameter],
         co_await servers_.exchange(owner.account, settings.may_be_private, std::move(grant)));
  co_return co_await complete(owner.account, std::move(settings));
}

Task<Result<DriveParameters>> DriveLogins::end_by_command(ConnectorOwner owner,
                                                          std::optional<ConnectorId> id,
                                                          ConnectorPatch patch,
                                                          DriveParameters printed) {
  patch.parameters.erase(kTokenParameter);
  CO_TRY(ConnectorSettings settings, co_await settings_for(owner, id, patch));
  auto token = printed.extract(kTokenParameter);  // Errors of it are to be shown.
  if (token.empty()) co_return fail(ErrorCode::invalid, "The login has no token.");
  DriveParameters login = providers_.only_allowed(settings.provider, std::move(printed));
  login.insert(std::move(token));
  for (const auto& [name, value] : login) settings.parameters[name] = value;
  CO_TRY_VOID(providers_.check_options(settings));
  CO_TRY(const DriveParameters told, co_await ask_provider(owner.account, std::move(settings)));
  // For a drive that there is, the dialogue's other answers were given when it was set up.
  for (const auto& [name, value] : told) {
    if (!id || login.contains(name)) login[name] = value;
  }
  co_return login;
}

Task<Result<DriveParameters>> DriveLogins::complete(AccountId account, ConnectorSettings settings) {
  if (!providers_.check_options(settings)) {
    co_return fail(ErrorCode::unavailable, "The provider gives a token that cannot be used.");
  }
  DriveParameters found = {{kTokenParameter, settings.parameters.at(kTokenParameter)}};
  if (providers_.check(settings)) co_return found;
  // Only the provider's own questions tell the rest, such as the id of a OneDrive.
  co_return co_await ask_provider(account, std::move(settings));
}

Task<Result<DriveParameters>> DriveLogins::ask_provider(AccountId account,
                                                        ConnectorSettings settings) {
  DriveParameters found;
  const DriveParameters before = settings.parameters;
  CO_TRY(auto told, co_await providers_.log_in(account, std::move(settings)));
  for (auto& [name, value] : told) {
    if (name == kTokenParameter || !before.contains(name)) found[name] = std::move(value);
  }
  co_return found;
}

}  // namespace coffer::core
