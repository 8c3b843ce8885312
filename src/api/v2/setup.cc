#include "api/v2/names.h"
#include "api/v2/resources.h"
#include "api/v2/session.h"

namespace coffer::api {

namespace v2 {

struct SetupState {
  bool open = false;
};
BOOST_DESCRIBE_STRUCT(SetupState, (), (open))

struct FirstAccount {
  NonEmpty<std::string> token;
  UserName userName;
  Password password;
  std::optional<DisplayName> displayName;
};
BOOST_DESCRIBE_STRUCT(FirstAccount, (), (token, userName, password, displayName))

}  // namespace v2

template <>
struct Docs<v2::SetupState> {
  static constexpr std::string_view name = "Setup";
  static constexpr std::array<FieldDoc, 1> fields{{
      {"open", "Whether there is no account yet.", "false"},
  }};
};

template <>
struct Docs<v2::FirstAccount> {
  static constexpr std::array<FieldDoc, 4> fields{{
      {"token", "From the link that the server printed when it started.",
       R"("00000000000000000000000000000000")"},
      {"userName",
       "The name to sign in with: 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", beginning with a "
       "letter or digit.",
       R"("ann")"},
      {"password", "8 to 1024 bytes.", R"("correct horse")"},
      {"displayName", "The name shown to people; the user name by default.", R"("Ann")"},
  }};
};

namespace v2 {
namespace {

Task<Result<Answer<SetupState>>> show_setup(Call call, NoParameters, NoBody) {
  const auto open = co_await call.services.accounts.is_setup_open();
  if (!open) co_return failure_of(open);
  co_return Answer<SetupState>{{*open}};
}

Task<Result<Answer<SessionDetails>>> complete_setup(Call call, NoParameters, FirstAccount body) {
  core::AccountPatch patch;
  patch.password = std::move(body.password.value);
  if (body.displayName) patch.display_name = std::move(body.displayName->value);
  const auto account = co_await call.services.accounts.set_up(
      body.token.value, std::move(body.userName.value), std::move(patch));
  if (!account) co_return failure_of(account);
  auto signed_in = co_await call.services.sign_in.open_session(*account, call.client());
  if (!signed_in) co_return failure_of(std::move(signed_in));
  co_return co_await signed_in_answer(std::move(call), *std::move(signed_in));
}

}  // namespace

std::vector<Route> setup_routes() {
  using http::Method;
  Route show_route{Method::get, "/api/v2/setup", "showSetup", "Show whether set-up is open",
                   "It is as long as there is no account."};
  show_route.rule = CallerRule::anyone;
  Route complete_route{Method::post, "/api/v2/setup", "completeSetup",
                       "Make the first administrator",
                       "Answers as signing in does, and closes set-up for good."};
  complete_route.rule = CallerRule::anyone;
  complete_route.errors = {507};
  return {json_route(show_route, &show_setup), json_route(complete_route, &complete_setup)};
}

}  // namespace v2
}  // namespace coffer::api
