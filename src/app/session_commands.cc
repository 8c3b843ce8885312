#include "app/session_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <utility>

#include "app/app_context.h"
#include "app/output.h"
#include "async/run.h"
#include "catalog/web_sessions.h"

namespace coffer::app {
namespace {

struct SessionOptions {
  std::shared_ptr<CommonOptions> common;
  std::string account;
  std::string id;
  bool all = false;
  bool json = false;
};

/// A session as `--json` prints it: members that the API has too are called as there.
boost::json::object json_of(const catalog::WebSession& session) {
  return {{"id", session.id.value},
          {"createdAt", format_timestamp(session.created_at)},
          {"lastSeenAt", format_timestamp(session.last_seen_at)},
          {"address", session.address},
          {"agent", session.agent}};
}

/// Runs `work(sessions, account)` for the named account.
template <class Fn>
int with_account(const SessionOptions& options, Fn work) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto app = AppContext::open(*settings, 2);
  if (!app) return complain(app.error());
  const auto account = run((*app)->catalog().accounts().find(options.account));
  if (!account) return complain(options.account, account.error());
  return work((*app)->catalog().web_sessions(), account->id);
}

int list_sessions(const SessionOptions& options) {
  return with_account(options, [&](catalog::WebSessions& sessions, AccountId account) {
    const auto found = run(sessions.list(account));
    if (!found) return complain(found.error());
    boost::json::array all;
    for (const catalog::WebSession& session : *found) {
      if (options.json) {
        all.push_back(json_of(session));
        continue;
      }
      print(fmt::format("{}  {}  {}  {}", session.id.value, format_timestamp(session.last_seen_at),
                        session.address, session.agent));
    }
    if (options.json) print(boost::json::serialize(all));
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
  return with_account(options, [&](catalog::WebSessions& sessions, AccountId account) {
    if (options.all) {
      const auto ended = run(sessions.end_others(account, std::nullopt));
      return ended ? show_ended(options, *ended) : complain(ended.error());
    }
    const auto ended = run(sessions.end(account, SessionId{options.id}));
    return ended ? show_ended(options, 1) : complain(options.id, ended.error());
  });
}

using Runner = int (*)(const SessionOptions&);

std::pair<CLI::App*, std::shared_ptr<SessionOptions>> add(CLI::App& group, std::string name,
                                                          std::string help, Runner runner,
                                                          Action& chosen) {
  auto options = std::make_shared<SessionOptions>();
  CLI::App* command = group.add_subcommand(std::move(name), std::move(help));
  options->common = add_common_options(*command);
  command->add_option("--account", options->account, "The account's name")->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback(
      [&chosen, options, runner] { chosen = [options, runner] { return runner(*options); }; });
  return {command, options};
}

}  // namespace

void add_session_commands(CLI::App& program, Action& chosen) {
  CLI::App* group =
      program.add_subcommand("session", "Manage the sessions of people who signed in");
  group->require_subcommand(1);
  add(*group, "list", "List an account's sessions", &list_sessions, chosen);
  const auto [command, options] = add(*group, "end", "End a session", &end_sessions, chosen);
  command->add_option("ID", options->id, "The session's id, as the list shows it");
  command->add_flag("--all", options->all, "End all of the account's sessions");
}

}  // namespace coffer::app
