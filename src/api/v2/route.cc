#include "api/v2/route.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/answer_memory.h"
#include "base/text.h"
#include "http/query.h"

namespace coffer::api::v2 {
namespace {

/// `forbidden` unless the rule lets the principal in.
Result<void> check_caller(CallerRule rule, const core::Principal& principal) {
  if (rule == CallerRule::anyone || rule == CallerRule::files) return {};
  if (principal.scope) {
    return fail(ErrorCode::forbidden, "A key that is limited to a folder may not do this.");
  }
  if (rule == CallerRule::session && !principal.session) {
    return fail(ErrorCode::forbidden, "This needs a session, not an API key.");
  }
  const bool is_administrator =
      principal.is_command || principal.account->role == catalog::Role::admin;
  if (rule == CallerRule::administrator && !is_administrator) {
    return fail(ErrorCode::forbidden, "This takes an administrator.");
  }
  return {};
}

bool reads(const http::Request& request) {
  return request.method == http::Method::get || request.method == http::Method::head;
}

/// Files have rights of their own, which their services look at.
Result<void> check_may_write(CallerRule rule, const core::Principal& principal,
                             const http::Request& request) {
  if (reads(request) || rule == CallerRule::files) return {};
  return core::check_may_write(principal);
}

/// `invalid` if the command means another catalog.
Result<void> check_catalog(const Services& services, const http::Request& request) {
  if (!request.has("X-Coffer-Database")) return {};
  TRY(const std::string name,
      http::percent_decode(request.header("X-Coffer-Database").value_or(""), false));
  if (name == services.catalog_name) return {};
  return fail(ErrorCode::invalid,
              "The server that runs on the data folder has another catalog than the command's "
              "settings or --database name.");
}

/// Returns the caller of a request through the server's Unix socket: the command line, for the
/// account that the header X-Coffer-Account names, if any. `not_found` for an unknown account.
Task<Result<core::Principal>> command_line(Services& services, const http::Request& request) {
  if (request.has("Origin")) {
    co_return fail(ErrorCode::forbidden, "Only the command line may send this, not a web page.");
  }
  CO_TRY_VOID(check_catalog(services, request));
  core::Principal principal;
  principal.is_command = true;
  if (!request.has("X-Coffer-Account")) {
    principal.account = std::make_shared<const catalog::Account>();
    co_return principal;
  }
  const auto header = request.header("X-Coffer-Account");
  if (!header) co_return fail(ErrorCode::invalid, "The header X-Coffer-Account is repeated.");
  CO_TRY(std::string name, http::percent_decode(*header, false));
  auto found = co_await services.accounts.show(name);
  if (!found) {
    co_return fail(found.error().code, fmt::format("{}: {}", name, found.error().message));
  }
  principal.account = std::make_shared<const catalog::Account>(std::move(found->account));
  co_return principal;
}

std::unexpected<Error> refuse_files() {
  return fail(ErrorCode::forbidden, "The command line does not work with files.");
}

/// The command line manages accounts and their tasks; it does not read or write files.
Result<void> check_command(CallerRule rule, const core::Principal& principal,
                           const http::Request& request) {
  if (rule == CallerRule::account_files) return refuse_files();
  const bool is_for_files = rule == CallerRule::files;
  const bool begins_task = request.method == http::Method::post;
  if (is_for_files && (begins_task || !request.path.starts_with("/api/v2/tasks"))) {
    return refuse_files();
  }
  const bool needs_account = is_for_files || (rule == CallerRule::account && !reads(request));
  if (!principal.account->name.empty() || !needs_account) return {};
  return fail(ErrorCode::invalid, "The header X-Coffer-Account is missing.");
}

}  // namespace

std::string_view text_of(CallerRule rule) {
  switch (rule) {
    case CallerRule::anyone:
      return "Needs no key and no session.";
    case CallerRule::session:
      return "Needs a session.";
    case CallerRule::account:
    case CallerRule::account_files:
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
  return {std::string(request.remote_address), std::string(is_utf8(agent) ? agent : ""),
          std::string(device_cookie_of(request))};
}

core::PasswordAsker Call::password_asker() const {
  return caller ? core::PasswordAsker::of(*caller)
                : core::PasswordAsker::at(request.remote_address);
}

Task<Result<Call>> admit(Services& services, http::Request& request, CallerRule rule) {
  if (rule == CallerRule::anyone) {
    CO_TRY_VOID(refuse_foreign_page(request));
    co_return Call{services, request, std::nullopt};
  }
  if (request.is_local) {
    CO_TRY(core::Principal principal, co_await command_line(services, request));
    CO_TRY_VOID(check_caller(rule, principal));
    CO_TRY_VOID(check_command(rule, principal, request));
    co_return Call{services, request, std::move(principal)};
  }
  CO_TRY(core::Principal principal, co_await authenticate(services, request));
  CO_TRY_VOID(check_caller(rule, principal));
  CO_TRY_VOID(check_may_write(rule, principal, request));
  co_return Call{services, request, std::move(principal)};
}

Task<Result<void>> admit_again(const Call& call, CallerRule rule,
                               std::chrono::steady_clock::time_point begun_at) {
  constexpr std::chrono::milliseconds kSoon{100};
  if (std::chrono::steady_clock::now() - begun_at < kSoon) co_return Result<void>{};
  const auto again = co_await admit(call.services, call.request, rule);
  co_return again ? Result<void>() : Result<void>(failure_of(again));
}

Result<std::shared_ptr<void>> room_for_body(const Call& call, std::size_t most_bytes) {
  constexpr std::size_t kTimes = 4;  // The text, the parsed JSON, and the members.
  const std::uint64_t announced = call.request.body->length().value_or(most_bytes);
  const std::uint64_t bytes = std::min<std::uint64_t>(announced, most_bytes);
  auto hold = call.services.memory.begin(call.holder());
  TRY_VOID(hold.grow(kTimes * bytes));
  return std::make_shared<MemoryRoom::Hold>(std::move(hold));
}

http::Response in_room(Services& services, const http::Request& request, MemoryHolder holder,
                       http::Response response) {
  if (holder.account.empty()) holder = {request.account, true};
  auto held = hold_text(services.memory, std::move(holder), response);
  if (!held) return http::problem_response(held.error());
  return response;
}

}  // namespace coffer::api::v2
