#include <fmt/format.h>

#include "api/v2/connector_types.h"
#include "api/v2/route.h"
#include "core/connectors/account_connectors.h"
#include "core/connectors/drive_logins.h"

namespace coffer::api::v2 {
namespace {

struct OptionExample {
  static constexpr std::string_view kSchema = "ProviderOptionExample";
  FIELD(std::string, value, "A proposed value.", R"("nextcloud")");
  FIELD(std::string, help, "An explanation.", R"("Nextcloud")");
  FIELD(std::string, onlyFor,
        "The values of the option `provider` to which this applies, separated by commas; after a "
        "!, those to which it does not apply. Empty for all.",
        R"("")");
};

struct ProviderOption {
  static constexpr std::string_view kSchema = "ProviderOption";
  FIELD(std::string, name, "The parameter's name.", R"("url")");
  FIELD(std::string, help, "An explanation.", R"("URL of the host")");
  FIELD(std::string, standard, "The default; empty for none.", R"("")");
  FIELD(std::string, onlyFor,
        "The values of the option `provider` to which this applies, separated by commas; after a "
        "!, those to which it does not apply. Empty for all.",
        R"("")");
  FIELD(bool, isSecret, "True if it is never shown.", "false");
  FIELD(bool, isAddress, "True if it is an address to which the drive's secrets are sent.", "true");
  FIELD(bool, isRequired, "True if it is required.", "true");
  FIELD(bool, isAdvanced, "True if few drives need it.", "false");
  FIELD(std::vector<OptionExample>, examples, "Proposed values.", "[]");
};

struct Provider {
  static constexpr std::string_view kSchema = "DriveProvider";
  FIELD(std::string, type, "Send it as `provider`.", R"("webdav")");
  FIELD(std::string, name, "The name for people.", R"("WebDAV")");
  FIELD(bool, usesOAuth,
        "True if a login in a browser gives the parameter `token`: by `coffer connector authorize` "
        "or POST /api/v2/connectors/authorize.",
        "false");
  FIELD(std::vector<ProviderOption>, options, "Its parameters.", "[]");
};

namespace json = boost::json;

std::string text_in(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains({name.data(), name.size()});
  return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

bool flag_in(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains({name.data(), name.size()});
  return found && found->is_bool() && found->get_bool();
}

ProviderOption option_of(const json::object& object) {
  ProviderOption option;
  option.name = text_in(object, "name");
  option.help = text_in(object, "help");
  option.standard = text_in(object, "default");
  option.onlyFor = text_in(object, "onlyFor");
  option.isSecret = flag_in(object, "isSecret");
  option.isAddress = flag_in(object, "isAddress");
  option.isRequired = flag_in(object, "isRequired");
  option.isAdvanced = flag_in(object, "isAdvanced");
  for (const json::value& one : object.at("examples").as_array()) {
    const json::object& example = one.as_object();
    option.examples.push_back(
        {text_in(example, "value"), text_in(example, "help"), text_in(example, "onlyFor")});
  }
  return option;
}

Task<Result<Answer<std::vector<Provider>>>> list_providers(Call call, NoParameters, NoBody) {
  CO_TRY(const auto found, co_await call.services.connectors.providers());
  std::vector<Provider> providers;
  for (const core::DriveProvider& one : found) {
    Provider& provider = providers.emplace_back();
    provider.type = one.type;
    provider.name = one.name;
    provider.usesOAuth = one.uses_oauth;
    for (const json::value& option : one.options) {
      provider.options.push_back(option_of(option.as_object()));
    }
  }
  co_return Answer<std::vector<Provider>>{std::move(providers)};
}

/// A body of 64 KiB has room for it and a code.
constexpr std::size_t kLongestLogin = 48 * 1024;

using LoginText = BoundedText<1, kLongestLogin>;
using LoginState = BoundedText<1, 200>;
using LoginCode = BoundedText<1, 8192>;

struct WantedLogin {
  FIELD(std::optional<ItemId>, id,
        "Begins a login to an existing drive of the account; the other members replace its "
        "settings, its secrets stay.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::optional<ProviderType>, provider,
        "Begins a login to a new drive: the provider, as for POST /api/v2/connectors.",
        R"("dropbox")");
  FIELD(std::optional<ParameterMap>, parameters,
        "The drive's parameters, with the client_id (and client_secret) of a client registered at "
        "the provider with the redirect address.",
        R"({"client_id":"abc123"})");
  FIELD(std::optional<ParameterMap>, printed,
        "Ends a login by the command: the parameters that it printed, at least the token. Give the "
        "members that began the login, too.",
        R"({"token":"{}"})");
  FIELD(std::optional<LoginText>, login, "Ends a login: the `login` of the answer that began it.",
        R"("c2VhbGVk")");
  FIELD(std::optional<LoginState>, state, "The state that came back with the code.",
        R"("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw")");
  FIELD(std::optional<LoginCode>, code, "The code of the provider. It can be used once.",
        R"("4/0AX4XfWh")");
};

struct LoginDetails {
  static constexpr std::string_view kSchema = "DriveLogin";
  FIELD(std::optional<std::string>, command,
        "A command for a computer with a browser and rclone. It prints the parameter `token` and "
        "contains no secret. Null at the end of a login.",
        R"("rclone authorize \"dropbox\" \"e30\"")");
  FIELD(std::optional<std::string>, secretVariable,
        "The environment variable from which the command reads the client_secret; null if none was "
        "given.",
        "null");
  FIELD(std::optional<std::string>, redirect,
        "The redirect address that the client must allow; null at the end.",
        R"("https://files.example.org/settings/connectors/authorized")");
  FIELD(std::optional<std::string>, address,
        "The provider's page of consent. Null without a client_id, and for providers without "
        "redirects: use the command then.",
        "null");
  FIELD(std::optional<std::string>, login,
        "Send it with the code that the page gives; null without an address.", "null");
  FIELD(std::optional<Timestamp>, expiresAt,
        "The end of the login's validity, UTC; null without an address.", "null");
  FIELD(std::optional<AnyObject>, parameters,
        "The parameters that the login gave, at least the token: send them to POST or PATCH "
        "/api/v2/connectors. Null at the beginning.",
        "null");
};

/// The origin of the browser's page if it is this server's (`refuse_foreign_page`), else the
/// address of the request: a login never leads to another server.
std::string redirect_of(const http::Request& request) {
  const std::string_view origin = request.header("Origin").value_or("");
  const bool is_own = (origin.starts_with("https://") || origin.starts_with("http://")) &&
                      refuse_foreign_page(request).has_value();
  if (is_own) return fmt::format("{}{}{}", origin, request.base_path, kLoginReturnPath);
  return fmt::format("http{}://{}{}{}", request.is_secure ? "s" : "",
                     request.header("Host").value_or(""), request.base_path, kLoginReturnPath);
}

core::ConnectorPatch patch_of(WantedLogin& body) {
  core::ConnectorPatch patch;
  if (body.provider) patch.provider = std::move(body.provider->value);
  if (body.parameters) patch.parameters = std::move(body.parameters->value);
  return patch;
}

std::optional<ConnectorId> id_in(WantedLogin& body) {
  if (!body.id) return std::nullopt;
  return ConnectorId{std::move(body.id->value)};
}

LoginDetails with_parameters(const core::DriveParameters& found) {
  LoginDetails details;
  auto& parameters = details.parameters.emplace().value;
  for (const auto& [name, value] : found) parameters[name] = value;
  return details;
}

Task<Result<LoginDetails>> end_login_by_command(Call& call, WantedLogin body) {
  auto id = id_in(body);
  core::ConnectorPatch patch = patch_of(body);
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  CO_TRY(const core::DriveParameters found,
         co_await call.services.drive_logins.end_by_command(
             std::move(owner), std::move(id), std::move(patch), std::move(body.printed->value)));
  co_return with_parameters(found);
}

Task<Result<LoginDetails>> begin_login(Call& call, WantedLogin body) {
  std::optional<ConnectorId> id = id_in(body);
  core::ConnectorPatch patch = patch_of(body);
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  std::string redirect = redirect_of(call.request);
  LoginDetails details;
  details.redirect = redirect;
  CO_TRY(auto begun, co_await call.services.drive_logins.begin(
                         std::move(owner), std::move(id), std::move(patch), std::move(redirect)));
  details.command = std::move(begun.command);
  if (!begun.secret_variable.empty()) details.secretVariable = std::move(begun.secret_variable);
  if (begun.address.empty()) co_return details;
  if (begun.login.size() > kLongestLogin) {
    co_return fail(ErrorCode::invalid, "The drive's parameters are too long for such a login.");
  }
  details.address = std::move(begun.address);
  details.login = std::move(begun.login);
  details.expiresAt = begun.expires_at;
  co_return details;
}

Task<Result<LoginDetails>> end_login(Call& call, WantedLogin body) {
  const bool has_more = body.id || body.provider || body.parameters || body.printed;
  if (!body.login || !body.state || !body.code || has_more) {
    co_return fail(ErrorCode::invalid,
                   "The end of a login takes the members login, state and code, and no other.");
  }
  core::FinishedLogin finished;
  finished.login = std::move(body.login->value);
  finished.state = std::move(body.state->value);
  finished.code = std::move(body.code->value);
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  CO_TRY(const auto found,
         co_await call.services.drive_logins.end(std::move(owner), std::move(finished)));
  co_return with_parameters(found);
}

Task<Result<LoginDetails>> answer_login(Call& call, WantedLogin body) {
  if (body.login || body.state || body.code) return end_login(call, std::move(body));
  if (body.printed) return end_login_by_command(call, std::move(body));
  return begin_login(call, std::move(body));
}

Task<Result<Answer<LoginDetails>>> authorize_connector(Call call, NoParameters, WantedLogin body) {
  Answer<LoginDetails> answer;
  CO_TRY(answer.data, co_await answer_login(call, std::move(body)));
  answer.headers.emplace_back("Cache-Control", "no-store");
  co_return answer;
}

}  // namespace

std::vector<Route> connector_login_routes() {
  using http::Method;
  return {json_route(Route(Method::get, "/api/v2/connectors/providers", "listProviders",
                           "List the providers of drives", "With the parameters of each, by type.",
                           CallerRule::account, 200, {502, 504}),
                     &list_providers),
          json_route(
              Route(Method::post, "/api/v2/connectors/authorize", "authorizeConnector",
                    "Log in to a drive where a browser is",
                    "In two steps. The first takes provider and parameters, or id, and answers a "
                    "command to run elsewhere and, if there is a client_id, the address of the "
                    "provider's page, which leads back to the interface of this server with a code "
                    "and a state. The second takes login, state and code, and answers the token, "
                    "which the server does not store. With printed, the second step ends a login "
                    "by the command. A login belongs to the account and is valid "
                    "for ten minutes. Addresses that are not public are refused as for connectors.",
                    CallerRule::account, 200, {404, 502, 504}),
              &authorize_connector)};
}

}  // namespace coffer::api::v2
