#include "api/v2/connector_login.h"

#include <fmt/format.h>

#include "api/v2/connector_body.h"
#include "core/connectors/drive_logins.h"

namespace coffer::api {

namespace v2 {

/// As much as a body can have beside a code.
constexpr std::size_t kLongestLogin = 48 * 1024;

struct WantedLogin {
  std::optional<ItemId> id;
  std::optional<BoundedText<1, 64>> provider;
  std::optional<ParameterMap> parameters;
  std::optional<BoundedText<1, kLongestLogin>> login;
  std::optional<BoundedText<1, 200>> state;
  std::optional<BoundedText<1, 8192>> code;
};
BOOST_DESCRIBE_STRUCT(WantedLogin, (), (id, provider, parameters, login, state, code))

struct LoginDetails {
  std::optional<std::string> command;
  std::optional<std::string> secretVariable;
  std::optional<std::string> redirect;
  std::optional<std::string> address;
  std::optional<std::string> login;
  std::optional<Timestamp> expiresAt;
  std::optional<AnyObject> parameters;
};
BOOST_DESCRIBE_STRUCT(LoginDetails, (),
                      (command, secretVariable, redirect, address, login, expiresAt, parameters))

}  // namespace v2

template <>
struct Docs<v2::WantedLogin> {
  static constexpr std::array<FieldDoc, 6> fields{{
      {"id",
       "To begin a login to a drive of the account: what else is said takes the place of what it "
       "has, its secrets stay.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"provider", "To begin one to a new drive: as POST /api/v2/connectors takes it.",
       R"("dropbox")"},
      {"parameters",
       "The drive's, with client_id, and perhaps client_secret, of a client that was made at the "
       "provider and may send people back to the redirect address.",
       R"({"client_id":"abc123"})"},
      {"login", "To end a login: what it was begun with.", R"("c2VhbGVk")"},
      {"state", "What came back with the code.", R"("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw")"},
      {"code", "What the provider gave. One is good once.", R"("4/0AX4XfWh")"},
  }};
};

template <>
struct Docs<v2::LoginDetails> {
  static constexpr std::string_view name = "DriveLogin";
  static constexpr std::array<FieldDoc, 7> fields{{
      {"command",
       "What to run on a computer that has a browser and rclone: it prints the parameter token. It "
       "tells no secret. Null at the end of a login.",
       R"("rclone authorize \"dropbox\" \"e30\"")"},
      {"secretVariable",
       "The variable of the environment in which the command takes the client_secret; null where "
       "none is given.",
       "null"},
      {"redirect", "Where the client must be allowed to send people back to; null at the end.",
       R"("https://files.example.org/settings/connectors/authorized")"},
      {"address",
       "The provider's page of consent, for the person's browser. Null without a client_id, and "
       "for "
       "providers that send no one back: the command is left then.",
       "null"},
      {"login", "To be sent with the code that the page gives; null without an address.", "null"},
      {"expiresAt", "Until when, UTC; null without an address.", "null"},
      {"parameters",
       "What the login gave, to be sent as parameters of POST or PATCH /api/v2/connectors: the "
       "token at least. Null at the begin.",
       "null"},
  }};
};

namespace v2 {
namespace {

/// The origin that a browser says to be on, which `refuse_foreign_page` holds against the address
/// that was asked; else that address, so that no person is sent to another server.
std::string redirect_of(const http::Request& request) {
  const std::string_view origin = request.header("Origin").value_or("");
  const bool is_own = (origin.starts_with("https://") || origin.starts_with("http://")) &&
                      refuse_foreign_page(request).has_value();
  if (is_own) return fmt::format("{}{}", origin, kLoginReturnPath);
  return fmt::format("http{}://{}{}", request.is_secure ? "s" : "",
                     request.header("Host").value_or(""), kLoginReturnPath);
}

Task<Result<LoginDetails>> begin_login(Call& call, WantedLogin body) {
  std::optional<ConnectorId> id;
  if (body.id) id = ConnectorId{std::move(body.id->value)};
  core::ConnectorPatch patch;
  if (body.provider) patch.provider = std::move(body.provider->value);
  if (body.parameters) patch.parameters = std::move(body.parameters->value);
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  std::string redirect = redirect_of(call.request);
  LoginDetails details;
  details.redirect = redirect;
  auto begun = co_await call.services.drive_logins.begin(std::move(owner), std::move(id),
                                                         std::move(patch), std::move(redirect));
  if (!begun) co_return failure_of(std::move(begun));
  details.command = std::move(begun->command);
  if (!begun->secret_variable.empty()) details.secretVariable = std::move(begun->secret_variable);
  if (begun->address.empty()) co_return details;
  if (begun->login.size() > kLongestLogin) {
    co_return fail(ErrorCode::invalid, "The drive's parameters are too long for such a login.");
  }
  details.address = std::move(begun->address);
  details.login = std::move(begun->login);
  details.expiresAt = begun->expires_at;
  co_return details;
}

Task<Result<LoginDetails>> end_login(Call& call, WantedLogin body) {
  if (!body.login || !body.state || !body.code || body.id || body.provider || body.parameters) {
    co_return fail(ErrorCode::invalid,
                   "The end of a login takes the members login, state and code, and no other.");
  }
  core::FinishedLogin finished;
  finished.login = std::move(body.login->value);
  finished.state = std::move(body.state->value);
  finished.code = std::move(body.code->value);
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  const auto found = co_await call.services.drive_logins.end(std::move(owner), std::move(finished));
  if (!found) co_return failure_of(found);
  LoginDetails details;
  auto& parameters = details.parameters.emplace().value;
  for (const auto& [name, value] : *found) parameters[name] = value;
  co_return details;
}

Task<Result<Answer<LoginDetails>>> authorize_connector(Call call, NoParameters, WantedLogin body) {
  Result<LoginDetails> details;
  if (body.login || body.state || body.code) {
    details = co_await end_login(call, std::move(body));
  } else {
    details = co_await begin_login(call, std::move(body));
  }
  if (!details) co_return failure_of(std::move(details));
  Answer<LoginDetails> answer{*std::move(details)};
  answer.headers.emplace_back("Cache-Control", "no-store");
  co_return answer;
}

}  // namespace

Route connector_login_route() {
  Route route{
      http::Method::post, "/api/v2/connectors/authorize", "authorizeConnector",
      "Log in to a drive where a browser is",
      "In two steps. With provider and parameters, or id, it tells what to run elsewhere, and, "
      "where a client_id is given, the provider's page: that leads back to the interface of "
      "this server with a code and a state. With these and login it exchanges the code for "
      "the token, which it gives back and does not keep. A login is the account's, and good "
      "for ten minutes. Addresses that are not public are refused as for connectors."};
  route.errors = {404, 502, 504};
  return json_route(route, &authorize_connector);
}

}  // namespace v2
}  // namespace coffer::api
