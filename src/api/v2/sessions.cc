#include <fmt/format.h>

#include "api/v2/paging.h"
#include "api/v2/route.h"
#include "api/v2/values.h"

namespace coffer::api::v2 {
namespace {

struct SessionView {
  static constexpr std::string_view kSchema = "SessionEntry";
  FIELD(std::string, id, "Identifier, used to end it.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(Timestamp, createdAt, "The time of the sign-in, UTC.", R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, lastSeenAt, "The last use, UTC, up to a minute late.",
        R"("2026-11-21T06:14:09")");
  FIELD(std::string, address, "The client's address at the sign-in.", R"("192.0.2.1")");
  FIELD(std::string, agent, "The client's User-Agent at the sign-in.", R"("Mozilla/5.0")");
  FIELD(catalog::SignInMethod, method,
        "How it began: with a password alone or with a code besides, with a passkey, with the link "
        "that the server printed for set-up, at a provider (oidc), or by a proxy.",
        R"("password")");
  FIELD(bool, current, "True for the session of this request.", "true");
};

SessionView view_of(const catalog::WebSession& one, const core::Principal& asking) {
  return {one.id.value,
          one.created_at,
          one.last_seen_at,
          one.address,
          one.agent,
          one.method,
          asking.session && asking.session->id == one.id};
}

using Sessions = std::vector<SessionView>;

Task<Result<Answer<Sessions>>> list_sessions(Call call, NoParameters, NoBody) {
  CO_TRY(const auto found, co_await call.services.sign_in.list(call.principal()));
  Sessions sessions;
  for (const catalog::WebSession& one : found) sessions.push_back(view_of(one, call.principal()));
  co_return Answer<Sessions>{std::move(sessions)};
}

Task<Result<void>> end_session(Call call, EntryParameters parameters, NoBody) {
  SessionId id{std::move(parameters.id.value)};
  co_return co_await call.services.sign_in.end(call.principal(), std::move(id));
}

Task<Result<void>> end_other_sessions(Call call, NoParameters, NoBody) {
  co_return co_await call.services.sign_in.end_others(call.principal());
}

struct ManagedSession : SessionView {
  static constexpr std::string_view kSchema = "ManagedSession";
  FIELD(std::string, userName, "The account that signed in.", R"("ann")");
};

struct SessionListParameters : ListPartParameters {
  FIELD(std::optional<TypedName>, account, "Only this account's sessions, by its user name.",
        R"("ann")");
};

/// Sessions sort by it as by the time at which they began.
std::string key_of_session(const catalog::WebSession& session) {
  return fmt::format("{:020}-{}", session.created_at.time_since_epoch().count(), session.id.value);
}

Task<Result<Answer<Page<ManagedSession>>>> list_all_sessions(Call call,
                                                             SessionListParameters parameters,
                                                             NoBody) {
  CO_TRY(auto found, co_await call.services.sign_in.list_all());
  CO_TRY(const auto names, co_await call.services.accounts.names());
  std::erase_if(found, [&](const catalog::WebSession& one) {
    const auto name = names.find(one.account);
    return name == names.end() || (parameters.account && name->second != parameters.account->value);
  });
  const auto page = page_of(std::move(found), parameters.limit, parameters.cursor, &key_of_session);
  Page<ManagedSession> views;
  views.next = page.next;
  for (const catalog::WebSession& one : page.entries) {
    views.entries.push_back({view_of(one, call.principal()), names.at(one.account)});
  }
  co_return Answer<Page<ManagedSession>>{std::move(views)};
}

Task<Result<void>> end_managed_session(Call call, EntryParameters parameters, NoBody) {
  SessionId id{std::move(parameters.id.value)};
  co_return co_await call.services.sign_in.end_any(call.principal(), std::move(id));
}

}  // namespace

std::vector<Route> sessions_routes() {
  using http::Method;
  return {json_route(Route(Method::get, "/api/v2/sessions", "listSessions",
                           "List the caller's sessions", "By time of sign-in."),
                     &list_sessions),
          json_route(
              Route(Method::del, "/api/v2/sessions", "endOtherSessions", "End the other sessions",
                    "All sessions of the account except that of this request.", CallerRule::account,
                    204),
              &end_other_sessions),
          json_route(Route(Method::del, "/api/v2/sessions/{id}", "endSession", "End a session",
                           "Once the answer arrives, the session is no longer accepted.",
                           CallerRule::account, 204, {404}),
                     &end_session)};
}

std::vector<Route> admin_session_routes() {
  using http::Method;
  return {json_route(Route(Method::get, "/api/v2/admin/sessions", "listAllSessions",
                           "List the sessions of all accounts",
                           "By time of sign-in, in pages, without those that have expired.",
                           CallerRule::administrator),
                     &list_all_sessions),
          json_route(Route(Method::del, "/api/v2/admin/sessions/{id}", "endAnySession",
                           "End a session of any account",
                           "Once the answer arrives, the session is no longer accepted.",
                           CallerRule::administrator, 204, {404, 507}),
                     &end_managed_session)};
}

}  // namespace coffer::api::v2
