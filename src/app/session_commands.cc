#include <fmt/format.h>

#include <string>

#include "app/command_client.h"
#include "app/output.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr const char* kSessions = "/api/v2/sessions";

struct SessionOptions : RequestOptions {
  std::string id;
  bool all = false;
};

int list_sessions(const SessionOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto sessions = client.get(kSessions);
    if (!sessions) return complain(sessions.error());
    Table table({"ID", "LAST SEEN", "ADDRESS", "AGENT"});
    for (const json::value& each : sessions->as_array()) {
      const json::object& session = each.as_object();
      table.add({text_in(session, "id"), text_in(session, "lastSeenAt"),
                 text_in(session, "address"), text_in(session, "agent")});
    }
    return show_list(options.json, sessions->as_array(), table);
  });
}

int show_ended(const SessionOptions& options, std::size_t count) {
  print(options.json ? json::serialize(json::object{{"ended", count}})
                     : fmt::format("Sessions ended: {}.", count));
  return 0;
}

int end_all(CommandClient& client, const SessionOptions& options) {
  const auto sessions = client.get(kSessions);
  if (!sessions) return complain(sessions.error());
  const auto ended = client.send(http::Method::del, kSessions);
  return ended ? show_ended(options, sessions->as_array().size()) : complain(ended.error());
}

int end_sessions(const SessionOptions& options) {
  if (options.all == !options.id.empty()) {
    return complain("Name either the ID of a session, or --all.");
  }
  return with_client(options, [&](CommandClient& client) {
    if (options.all) return end_all(client, options);
    const auto ended =
        client.send(http::Method::del, fmt::format("{}/{}", kSessions, segment(options.id)));
    return ended ? show_ended(options, 1) : complain_of(options, options.id, ended.error());
  });
}

}  // namespace

void add_session_commands(CLI::App& program, Action& chosen) {
  CLI::App* group =
      program.add_subcommand("session", "Manage the sessions of people who signed in");
  group->require_subcommand(1);
  add_account_command(*group, "list", "List an account's sessions", &list_sessions, chosen);
  const auto end = add_account_command(*group, "end", "End a session", &end_sessions, chosen);
  end.command->add_option("ID", end.options->id, "The session's id, as the list shows it")
      ->check(&check_not_empty);
  end.command->add_flag("--all", end.options->all, "End all of the account's sessions");
}

}  // namespace coffer::app
