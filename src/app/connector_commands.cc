#include "app/connector_commands.h"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <map>
#include <string>
#include <utility>

#include "app/connector_wishes.h"
#include "app/drive_commands.h"
#include "app/output.h"
#include "async/run.h"

namespace coffer::app {
namespace {

using catalog::ConnectorKind;

const std::map<std::string, ConnectorKind> kKinds = {
    {"ftp", ConnectorKind::ftp}, {"sftp", ConnectorKind::sftp}, {"drive", ConnectorKind::drive}};

int add_connector(Desk& desk) {
  if (desk.options.kind == ConnectorKind::drive) return add_drive(desk);
  auto wish = server_wish_of(desk.options);
  if (!wish) return complain(wish.error());
  const auto made = run(desk.service.add(desk.account, desk.options.kind, *std::move(wish)));
  return made ? show(desk, *made) : complain(made.error());
}

int list_connectors(Desk& desk) {
  const auto connectors = run(desk.service.list(desk.account));
  if (!connectors) return complain(connectors.error());
  boost::json::array all;
  for (const catalog::Connector& connector : *connectors) {
    if (desk.options.json) {
      all.push_back(json_of(desk, connector));
    } else {
      say(line_of(connector));
    }
  }
  if (desk.options.json) say(serialize(all));
  return 0;
}

Result<catalog::Connector> change_server(Desk& desk, const catalog::Connector& connector) {
  auto wish = server_wish_of(desk.options);
  if (!wish) return failure_of(std::move(wish));
  return run(desk.service.change(desk.account, connector.id, *std::move(wish)));
}

Result<catalog::Connector> change_drive(Desk& desk, const catalog::Connector& connector) {
  auto wish = drive_wish_of(desk.options);
  if (!wish) return failure_of(std::move(wish));
  return run(desk.drives.change(desk.account, connector.id, *std::move(wish)));
}

int set_connector(Desk& desk) {
  const auto& which = desk.options.which;
  const auto connector = run(desk.service.find(desk.account, which));
  if (!connector) return complain(which, connector.error());
  const bool is_drive = connector->kind == ConnectorKind::drive;
  const auto changed = is_drive ? change_drive(desk, *connector) : change_server(desk, *connector);
  return changed ? show(desk, *changed) : complain(which, changed.error());
}

int remove_connector(Desk& desk) {
  const auto& which = desk.options.which;
  const auto connector = run(desk.service.find(desk.account, which));
  if (!connector) return complain(which, connector.error());
  const auto removed = run(desk.service.remove(desk.account, connector->id));
  if (!removed) return complain(which, removed.error());
  say(desk.options.json ? serialize(boost::json::object{{"removed", which}})
                        : "The connector was removed; the server keeps its files.");
  return 0;
}

int test_connector(Desk& desk) {
  const auto& which = desk.options.which;
  const auto connector = run(desk.service.find(desk.account, which));
  if (!connector) return complain(which, connector.error());
  const auto works = run(desk.service.test(*connector));
  if (!works) return complain(which, works.error());
  say(desk.options.json ? serialize(boost::json::object{{"works", true}}) : "It works.");
  return 0;
}

void add_which(const ConnectorCommand& added) {
  added.command->add_option("CONNECTOR", added.options->which, "The connector's id or name")
      ->required();
}

void add_wishes(const ConnectorCommand& added) {
  add_place_options(added);
  add_server_options(added);
  add_drive_options(added);
}

void add_making(CLI::App& group, Action& chosen) {
  const auto made =
      add_connector_command(group, "add", "Mount a server or drive", &add_connector, chosen);
  made.command
      ->add_option_function<std::string>(
          "--kind",
          [options = made.options](const std::string& name) { options->kind = kKinds.at(name); },
          "ftp, sftp or drive")
      ->required()
      ->check(CLI::IsMember(kKinds));
  add_provider_option(made);
  add_wishes(made);
  made.command->add_flag("--read-only{true}", made.options->wish.read_only,
                         "Nothing can be changed through it");
}

void add_changing(CLI::App& group, Action& chosen) {
  const auto set = add_connector_command(
      group, "set",
      "Change a connector; another host, port, user, root, service account, or parameter that is "
      "no "
      "secret revokes the keys limited to its folders; another password, key or token does not",
      &set_connector, chosen);
  add_which(set);
  add_wishes(set);
  set.command->add_option("--read-only", set.options->wish.read_only, "true or false");
}

}  // namespace

void add_connector_commands(CLI::App& program, Action& chosen) {
  CLI::App* group =
      program.add_subcommand("connector", "Mount FTP and SFTP servers and cloud drives");
  group->require_subcommand(1);
  add_making(*group, chosen);
  add_drive_commands(*group, chosen);
  add_connector_command(*group, "list", "List the account's connectors", &list_connectors, chosen);
  add_changing(*group, chosen);
  add_which(
      add_connector_command(*group, "remove", "Remove a connector", &remove_connector, chosen));
  add_which(add_connector_command(*group, "test", "See whether a connector works", &test_connector,
                                  chosen));
}

}  // namespace coffer::app
