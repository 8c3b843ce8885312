#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

struct SessionView {
  std::string id;
  Timestamp createdAt;
  Timestamp lastSeenAt;
  std::string address;
  std::string agent;
  bool current = false;
};
BOOST_DESCRIBE_STRUCT(SessionView, (), (id, createdAt, lastSeenAt, address, agent, current))

struct SessionParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(SessionParameters, (), (id))

}  // namespace v2

template <>
struct Docs<v2::SessionView> {
  static constexpr std::string_view name = "SessionEntry";
  static constexpr std::array<FieldDoc, 6> fields{{
      {"id", "Identifier, used to end it.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"createdAt", "When it began, UTC.", R"("2026-11-21T06:14:09")"},
      {"lastSeenAt", "When it was last used, UTC, up to a minute late.",
       R"("2026-11-21T06:14:09")"},
      {"address", "The client's address when it began.", R"("192.0.2.1")"},
      {"agent", "What the client called itself then.", R"("Mozilla/5.0")"},
      {"current", "Whether it is the session that asks.", "true"},
  }};
};

template <>
struct Docs<v2::SessionParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The session's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

namespace v2 {
namespace {

using Sessions = std::vector<SessionView>;

Task<Result<Answer<Sessions>>> list_sessions(Call call, NoParameters, NoBody) {
  const auto found = co_await call.services.sign_in.list(call.principal());
  if (!found) co_return failure_of(found);
  const auto& own = call.principal().session;
  Sessions sessions;
  for (const catalog::WebSession& one : *found) {
    sessions.push_back({one.id.value, one.created_at, one.last_seen_at, one.address, one.agent,
                        own && own->id == one.id});
  }
  co_return Answer<Sessions>{std::move(sessions)};
}

Task<Result<Answer<Nothing>>> end_session(Call call, SessionParameters parameters, NoBody) {
  SessionId id{std::move(parameters.id.value)};
  auto ended = co_await call.services.sign_in.end(call.principal(), std::move(id));
  if (!ended) co_return failure_of(std::move(ended));
  co_return Answer<Nothing>{};
}

Task<Result<Answer<Nothing>>> end_other_sessions(Call call, NoParameters, NoBody) {
  auto ended = co_await call.services.sign_in.end_others(call.principal());
  if (!ended) co_return failure_of(std::move(ended));
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> sessions_routes() {
  using http::Method;
  Route list_route{Method::get, "/api/v2/sessions", "listSessions", "List the caller's sessions",
                   "By the time at which they began."};
  Route others{Method::del, "/api/v2/sessions", "endOtherSessions", "End the other sessions",
               "All of the account's sessions but the one that asks."};
  others.success = 204;
  Route one{Method::del, "/api/v2/sessions/{id}", "endSession", "End a session",
            "When the answer arrives, it opens nothing any more."};
  one.success = 204;
  one.errors = {404};
  return {json_route(list_route, &list_sessions), json_route(others, &end_other_sessions),
          json_route(one, &end_session)};
}

}  // namespace v2
}  // namespace coffer::api
