#include <fmt/format.h>

#include "api/v2/names.h"
#include "api/v2/paging.h"
#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

struct ManagedSession {
  std::string id;
  std::string userName;
  Timestamp createdAt;
  Timestamp lastSeenAt;
  std::string address;
  std::string agent;
  bool current = false;
};
BOOST_DESCRIBE_STRUCT(ManagedSession, (),
                      (id, userName, createdAt, lastSeenAt, address, agent, current))

struct SessionListParameters {
  std::optional<TypedName> account;
  std::optional<ListLimit> limit;
  std::optional<ListCursor> cursor;
};
BOOST_DESCRIBE_STRUCT(SessionListParameters, (), (account, limit, cursor))

struct ManagedSessionParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(ManagedSessionParameters, (), (id))

}  // namespace v2

template <>
struct Docs<v2::ManagedSession> {
  static constexpr std::string_view name = "ManagedSession";
  static constexpr std::array<FieldDoc, 7> fields{{
      {"id", "Identifier, used to end it.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"userName", "The account that signed in.", R"("ann")"},
      {"createdAt", "When it began, UTC.", R"("2026-11-21T06:14:09")"},
      {"lastSeenAt", "When it was last used, UTC, up to a minute late.",
       R"("2026-11-21T06:14:09")"},
      {"address", "The client's address when it began.", R"("192.0.2.1")"},
      {"agent", "What the client called itself then.", R"("Mozilla/5.0")"},
      {"current", "Whether it is the session that asks.", "false"},
  }};
};

template <>
struct Docs<v2::SessionListParameters> {
  static constexpr auto fields =
      joined(std::array<FieldDoc, 1>{{
                 {"account", "Only this account's sessions, by its user name.", R"("ann")"},
             }},
             kPageFields);
};

template <>
struct Docs<v2::ManagedSessionParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The session's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

namespace v2 {
namespace {

/// Sessions sort by it as by the time at which they began.
std::string key_of_session(const catalog::WebSession& session) {
  return fmt::format("{:020}-{}", session.created_at.time_since_epoch().count(), session.id.value);
}

ManagedSession managed_session_of(const catalog::WebSession& session, std::string user_name,
                                  const core::Principal& asking) {
  ManagedSession view;
  view.id = session.id.value;
  view.userName = std::move(user_name);
  view.createdAt = session.created_at;
  view.lastSeenAt = session.last_seen_at;
  view.address = session.address;
  view.agent = session.agent;
  view.current = asking.session && asking.session->id == session.id;
  return view;
}

Task<Result<Answer<Page<ManagedSession>>>> list_all_sessions(Call call,
                                                             SessionListParameters parameters,
                                                             NoBody) {
  auto found = co_await call.services.sign_in.list_all();
  if (!found) co_return failure_of(std::move(found));
  const auto names = co_await call.services.accounts.names();
  if (!names) co_return failure_of(names);
  std::erase_if(*found, [&](const catalog::WebSession& one) {
    const auto name = names->find(one.account);
    return name == names->end() ||
           (parameters.account && name->second != parameters.account->value);
  });
  const auto page =
      page_of(*std::move(found), parameters.limit, parameters.cursor, &key_of_session);
  Page<ManagedSession> views;
  views.next = page.next;
  for (const catalog::WebSession& one : page.entries) {
    views.entries.push_back(managed_session_of(one, names->at(one.account), call.principal()));
  }
  co_return Answer<Page<ManagedSession>>{std::move(views)};
}

Task<Result<Answer<Nothing>>> end_managed_session(Call call, ManagedSessionParameters parameters,
                                                  NoBody) {
  SessionId id{std::move(parameters.id.value)};
  auto ended = co_await call.services.sign_in.end_any(call.principal(), std::move(id));
  if (!ended) co_return failure_of(std::move(ended));
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> admin_session_routes() {
  using http::Method;
  Route list{Method::get, "/api/v2/admin/sessions", "listAllSessions",
             "List the sessions of all accounts",
             "By the time at which they began, in parts. Those that have expired are left out."};
  Route end{Method::del, "/api/v2/admin/sessions/{id}", "endAnySession",
            "End a session of any account", "When the answer arrives, it opens nothing any more."};
  end.success = 204;
  end.errors = {404, 507};
  list.rule = CallerRule::administrator;
  end.rule = CallerRule::administrator;
  return {json_route(list, &list_all_sessions), json_route(end, &end_managed_session)};
}

}  // namespace v2
}  // namespace coffer::api
