#include "app/connector_commands.h"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "app/connector_patches.h"
#include "app/drive_commands.h"
#include "app/output.h"
#include "app/table.h"
#include "app/wrong_words.h"
#include "async/run.h"

namespace coffer::app {
namespace {

using catalog::ConnectorKind;

const auto kKinds = [] {
  std::map<std::string, ConnectorKind> kinds;
  for (const auto& [kind, word] : words_of(ConnectorKind())) kinds.emplace(word, kind);
  return kinds;
}();

/// `ftp, sftp or drive`
std::string kinds_help() {
  std::string words = list_of_words<ConnectorKind>();
  return words.replace(words.rfind(", "), 2, " or ");
}

/// What a new one needs and was not given, by its option; empty if there is nothing.
std::string_view missing_in(const core::ConnectorType& type, const ConnectorOptions& options) {
  const core::ConnectorPatch& patch = options.patch;
  if (!patch.name) return "A connector needs a name: give it with --name.";
  if (type.is_drive()) {
    return options.drive.type ? ""
                              : "A cloud drive needs its provider: give it with --remote-type.";
  }
  if (!patch.host) return "A server has a name or address: give it with --host.";
  if (!patch.user) return "A server needs a user to log in as: give it with --user.";
  return "";
}

bool has_host_key(const core::ConnectorPatch& patch) {
  return patch.host_key || patch.trusts_first_key;
}

int add_connector(CommandContext& context) {
  const core::ConnectorType& type = context.service.type_of(context.options.kind);
  const auto missing = missing_in(type, context.options);
  if (!missing.empty()) return complain(missing);
  if (type.is_drive()) return add_drive(context);
  auto patch = server_patch_of(context.options);
  if (!patch) return complain(patch.error());
  if (type.has_host_key() && !has_host_key(*patch)) {
    return complain(
        "An SFTP server needs its host key: give it with --host-key SHA256:…, or pin the one that "
        "it shows now with --trust-on-first-use.");
  }
  const auto made = run(context.service.add(context.account, context.options.kind,
                                            *std::move(patch), trial_of(context.options)));
  return made ? show(context, *made) : complain(made.error());
}

int list_connectors(CommandContext& context) {
  const auto connectors = run(context.service.list(context.account));
  if (!connectors) return complain(connectors.error());
  boost::json::array all;
  Table table({"ID", "NAME", "TARGET", "RIGHTS"});
  for (const catalog::Connector& connector : *connectors) {
    if (context.options.json) {
      all.push_back(json_of(context, connector));
    } else {
      table.add({connector.id.value, connector.name, connector.target,
                 connector.read_only ? "read-only" : "writable"});
    }
  }
  if (context.options.json) print(serialize(all));
  table.print();
  return 0;
}

int set_connector(CommandContext& context) {
  const auto& which = context.options.which;
  const auto connector = run(context.service.find(context.account, which));
  if (!connector) return complain(which, connector.error());
  const bool is_drive = context.service.type_of(connector->kind).is_drive();
  auto patch = is_drive ? drive_patch_of(context.options) : server_patch_of(context.options);
  if (!patch) return complain(which, patch.error());
  const auto changed = run(context.service.change(context.account, connector->id, *std::move(patch),
                                                  trial_of(context.options)));
  return changed ? show(context, *changed) : complain(which, changed.error());
}

int remove_connector(CommandContext& context) {
  const auto& which = context.options.which;
  const auto connector = run(context.service.find(context.account, which));
  if (!connector) return complain(which, connector.error());
  const auto removed = run(context.service.remove(context.account, connector->id));
  if (!removed) return complain(which, removed.error());
  print(context.options.json ? serialize(boost::json::object{{"removed", which}})
                             : "The connector was removed; the server keeps its files.");
  return 0;
}

int test_connector(CommandContext& context) {
  const auto& which = context.options.which;
  const auto connector = run(context.service.find(context.account, which));
  if (!connector) return complain(which, connector.error());
  const auto works = run(context.service.test(*connector));
  if (!works) return complain(which, works.error());
  print(context.options.json ? serialize(boost::json::object{{"works", true}}) : "It works.");
  return 0;
}

void add_which(const ConnectorCommand& added) {
  added.command->add_option("CONNECTOR", added.options->which, "The connector's id or name")
      ->required();
}

void add_patches(const ConnectorCommand& added) {
  add_place_options(added);
  add_server_options(added);
  add_drive_options(added);
}

void add_no_test(const ConnectorCommand& added) {
  added.command->add_flag("--no-test", added.options->no_test,
                          "Store it without logging in to see that it works");
}

void add_making(CLI::App& group, Action& chosen) {
  const auto made =
      add_connector_command(group, "add", "Mount a server or drive", &add_connector, chosen);
  made.command
      ->add_option_function<std::string>(
          "--kind",
          [options = made.options](const std::string& name) { options->kind = kKinds.at(name); },
          kinds_help())
      ->required()
      ->check(CLI::IsMember(kKinds));
  add_provider_option(made);
  add_patches(made);
  add_no_test(made);
  add_read_only_flag(made);
}

void add_changing(CLI::App& group, Action& chosen) {
  const auto set = add_connector_command(
      group, "set",
      "Change a connector; another host, port, user, root, service account, or parameter that is "
      "no "
      "secret revokes the keys limited to its folders; another password, key or token does not",
      &set_connector, chosen);
  add_which(set);
  add_patches(set);
  add_no_test(set);
  set.command->add_option("--read-only", set.options->patch.read_only, "true or false")
      ->check(&check_true_or_false);
}

}  // namespace

void add_connector_commands(CLI::App& program, Action& chosen) {
  CLI::App* group =
      program.add_subcommand("connector", "Mount FTP and SFTP servers and cloud drives");
  group->require_subcommand(1);
  add_making(*group, chosen);
  add_drive_commands(*group, chosen);
  add_connector_command(*group, "list", "List the account's connectors", &list_connectors, chosen,
                        Secrets::not_needed);
  add_changing(*group, chosen);
  add_which(add_connector_command(*group, "remove", "Remove a connector", &remove_connector, chosen,
                                  Secrets::not_needed));
  add_which(add_connector_command(*group, "test", "See whether a connector works", &test_connector,
                                  chosen));
}

}  // namespace coffer::app
