#include "api/v2/route.h"

#include "api/answer_room.h"
#include "base/text.h"

namespace coffer::api::v2 {
namespace {

/// `forbidden` unless the rule lets the principal in.
Result<void> check_caller(CallerRule rule, const core::Principal& principal) {
  if (rule == CallerRule::anyone || rule == CallerRule::files) return {};
  if (principal.scope) {
    return fail(ErrorCode::forbidden, "A key that is limited to a folder may not do this.");
  }
  if (rule == CallerRule::session && !principal.session) {
    return fail(ErrorCode::forbidden, "This takes a session, not an API key.");
  }
  if (rule == CallerRule::administrator && principal.account->role != catalog::Role::admin) {
    return fail(ErrorCode::forbidden, "This takes an administrator.");
  }
  return {};
}

/// Files have rights of their own, which their services look at.
Result<void> check_may_write(CallerRule rule, const core::Principal& principal,
                             const http::Request& request) {
  const bool reads = request.method == http::Method::get || request.method == http::Method::head;
  if (reads || rule == CallerRule::files) return {};
  return core::check_may_write(principal);
}

}  // namespace

std::string_view text_of(CallerRule rule) {
  switch (rule) {
    case CallerRule::anyone:
      return "Needs no key and no session.";
    case CallerRule::session:
      return "Needs a session.";
    case CallerRule::account:
      return "Needs a session, or a key that is not limited to a folder.";
    case CallerRule::files:
      return "Needs a session or a key.";
    case CallerRule::administrator:
      return "Needs an administrator's session, or key that is not limited to a folder.";
  }
  std::unreachable();
}

core::SignInClient Call::client() const {
  const std::string_view agent = request.header("User-Agent").value_or("");
  return {std::string(request.remote_address), std::string(is_utf8(agent) ? agent : "")};
}

Task<Result<Call>> admit(Services& services, http::Request& request, CallerRule rule) {
  if (rule == CallerRule::anyone) {
    CO_TRY_VOID(refuse_foreign_page(request));
    co_return Call{services, request, std::nullopt};
  }
  CO_TRY(auto principal, co_await authenticate(services, request));
  CO_TRY_VOID(check_caller(rule, principal));
  CO_TRY_VOID(check_may_write(rule, principal, request));
  co_return Call{services, request, std::move(principal)};
}

http::Response in_room(Services& services, const http::Request& request, std::string holder,
                       http::Response response) {
  // Guests take none of the account's own, and all its links together are one holder: else each
  // would have a first answer of any size.
  if (holder.empty()) holder = "guests of " + request.account;
  auto held = services.answer_room.hold(std::move(holder), response);
  if (!held) return http::problem_response(held.error());
  return response;
}

}  // namespace coffer::api::v2
