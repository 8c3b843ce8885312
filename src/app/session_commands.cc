#include "app/session_commands.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <string>

#include "app/account_command.h"
#include "app/table.h"
#include "catalog/web_sessions.h"

namespace coffer::app {
namespace {

struct SessionOptions : AccountCommandOptions {
  std::string id;
  bool all = false;
};

/// A session as `--json` prints it: members that the API has too are called as there.
boost::json::object json_of(const catalog::WebSession& session) {
  return {{"id", session.id.value},
          {"createdAt", format_timestamp(session.created_at)},
          {"lastSeenAt", format_timestamp(session.last_seen_at)},
          {"address", session.address},
          {"agent", session.agent}};
}

int list_sessions(const SessionOptions& options) {
  return with_account(options, [&](AppContext& app, const catalog::Account& account) {
    catalog::WebSessions& sessions = app.catalog().web_sessions();
    const auto found = run(sessions.list(account.id));
    if (!found) return complain(found.error());
    boost::json::array all;
    Table table({"ID", "LAST SEEN", "ADDRESS", "AGENT"});
    for (const catalog::WebSession& session : *found) {
      if (options.json) {
        all.push_back(json_of(session));
        continue;
      }
      table.add({session.id.value, format_timestamp(session.last_seen_at), session.address,
                 session.agent});
    }
    if (options.json) print(boost::json::serialize(all));
    table.print();
    return 0;
  });
}

int show_ended(const SessionOptions& options, std::uint64_t count) {
  print(options.json ? boost::json::serialize(boost::json::object{{"ended", count}})
                     : fmt::format("Sessions ended: {}.", count));
  return 0;
}

int end_sessions(const SessionOptions& options) {
  if (options.all == !options.id.empty()) {
    return complain("Name either the ID of a session, or --all.");
  }
  return with_account(options, [&](AppContext& app, const catalog::Account& account) {
    catalog::WebSessions& sessions = app.catalog().web_sessions();
    if (options.all) {
      const auto ended = run(sessions.end_others(account.id, std::nullopt));
      return ended ? show_ended(options, *ended) : complain(ended.error());
    }
    const auto ended = run(sessions.end(account.id, SessionId{options.id}));
    return ended ? show_ended(options, 1) : complain(options.id, ended.error());
  });
}

}  // namespace

void add_session_commands(CLI::App& program, Action& chosen) {
  CLI::App* group =
      program.add_subcommand("session", "Manage the sessions of people who signed in");
  group->require_subcommand(1);
  add_account_command(*group, "list", "List an account's sessions", &list_sessions, chosen);
  const auto [command, options] =
      add_account_command(*group, "end", "End a session", &end_sessions, chosen);
  command->add_option("ID", options->id, "The session's id, as the list shows it");
  command->add_flag("--all", options->all, "End all of the account's sessions");
}

}  // namespace coffer::app
