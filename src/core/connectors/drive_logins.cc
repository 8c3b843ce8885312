#include "core/connectors/drive_logins.h"

#include <fmt/format.h>

#include <utility>

#include "base/encoding.h"
#include "base/random.h"
#include "core/connectors/authorize_command.h"

namespace coffer::core {
namespace {

constexpr const char* kTokenParameter = "token";
/// 64 characters (RFC 7636, section 4.1).
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

}  // namespace

Task<Result<ConnectorSettings>> DriveLogins::settings_for(const ConnectorOwner& owner,
                                                          std::optional<ConnectorId> id,
                                                          const ConnectorPatch& patch) {
  ConnectorService& service = connectors_.service_for(owner);
  const DriveAuthorization drives(service, providers_);
  if (!id) co_return drives.before_login(patch);
  const auto connector = co_await service.get(owner.account, *std::move(id));
  if (!connector) co_return failure_of(connector);
  co_return co_await drives.before_login(*connector, patch);
}

Task<Result<BegunLogin>> DriveLogins::begin(ConnectorOwner owner, std::optional<ConnectorId> id,
                                            ConnectorPatch patch, std::string redirect) {
  patch.parameters.erase(kTokenParameter);  // It is what is looked for.
  auto settings = co_await settings_for(owner, std::move(id), patch);
  if (!settings) co_return failure_of(std::move(settings));
  settings->parameters.erase(kTokenParameter);
  BegunLogin begun;
  begun.command = authorize_command(*settings, providers_);
  begun.secret_variable = authorize_environment(*settings);
  const auto server = providers_.oauth_server(*settings);
  if (!server || value_in(settings->parameters, "client_id").empty()) co_return begun;
  PendingLogin login;
  login.account = owner.account;
  login.by_administrator = owner.by_administrator();
  login.expires_at = std::chrono::floor<std::chrono::seconds>(now() + kLife);
  login.redirect = std::move(redirect);
  login.verifier = random_hex(kVerifierBytes);
  login.settings = *std::move(settings);
  begun.login = seal_login(login, sealer_);
  begun.address = address_of(*server, login, begun.login);
  begun.expires_at = login.expires_at;
  co_return begun;
}

Result<PendingLogin> DriveLogins::pending(const ConnectorOwner& owner,
                                          const FinishedLogin& finished) const {
  auto login = open_login(finished.login, sealer_);
  if (!login) return login;
  if (login->account != owner.account) {
    return fail(ErrorCode::invalid, "Another account began the login: begin it again.");
  }
  if (login->expires_at <= now()) {
    return fail(
        ErrorCode::invalid,
        fmt::format("The login took longer than {} minutes: begin it again.", kLife.count()));
  }
  if (login->by_administrator && !owner.by_administrator()) {
    return fail(ErrorCode::invalid, "An administrator began the login: begin it again.");
  }
  if (finished.state != state_of(finished.login)) {
    return fail(ErrorCode::invalid,
                "The state is not the one that the login was begun with: begin it again.");
  }
  return login;
}

Task<Result<DriveParameters>> DriveLogins::end(ConnectorOwner owner, FinishedLogin finished) {
  auto login = pending(owner, finished);
  if (!login) co_return failure_of(std::move(login));
  ConnectorSettings& settings = login->settings;
  const auto server = providers_.oauth_server(settings);
  if (!server) co_return fail(ErrorCode::invalid, "The provider has no such login any more.");
  CodeGrant grant;
  grant.token_url = server->token_url;
  grant.token_type = server->token_type;
  grant.code = std::move(finished.code);
  grant.redirect = login->redirect;
  grant.client_id = value_in(settings.parameters, "client_id");
  grant.client_secret = value_in(settings.parameters, "client_secret");
  grant.verifier = login->verifier;
  auto token = co_await servers_.exchange(owner.account, settings.may_be_private, std::move(grant));
  if (!token) co_return failure_of(std::move(token));
  settings.parameters[kTokenParameter] = *std::move(token);
  co_return co_await complete(std::move(settings));
}

Task<Result<DriveParameters>> DriveLogins::complete(ConnectorSettings settings) {
  if (!providers_.check_options(settings)) {
    co_return fail(ErrorCode::unavailable, "The provider gives a token that cannot be used.");
  }
  DriveParameters found = {{kTokenParameter, settings.parameters.at(kTokenParameter)}};
  if (providers_.check(settings)) co_return found;
  // As of OneDrive the drive's id: only its own dialogue tells.
  const DriveParameters before = settings.parameters;
  auto told = co_await providers_.log_in(std::move(settings));
  if (!told) co_return failure_of(std::move(told));
  for (auto& [name, value] : *told) {
    if (name == kTokenParameter || !before.contains(name)) found[name] = std::move(value);
  }
  co_return found;
}

}  // namespace coffer::core
