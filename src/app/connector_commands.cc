#include "app/connector_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/node.h"
#include "app/output.h"
#include "async/run.h"
#include "core/connector_service.h"

namespace coffer::app {
namespace {

const std::map<std::string, catalog::ConnectorKind> kKinds = {
    {"ftp", catalog::ConnectorKind::ftp}, {"sftp", catalog::ConnectorKind::sftp}};
const std::map<std::string, core::TlsMode> kTlsModes = {{"none", core::TlsMode::none},
                                                        {"explicit", core::TlsMode::explicit_},
                                                        {"implicit", core::TlsMode::implicit}};

struct ConnectorOptions {
  std::shared_ptr<CommonOptions> common;
  std::string account;
  std::string which;
  catalog::ConnectorKind kind = catalog::ConnectorKind::sftp;
  core::ConnectorWish wish;
  std::optional<std::string> private_key_file;
  bool password_stdin = false;
  bool json = false;
};

/// What the commands of this group work with.
struct Desk {
  const ConnectorOptions& options;
  AccountId account;
  core::ConnectorService service;
};

Result<std::string> password_from_stdin() {
  std::string line;
  if (std::getline(std::cin, line) && !line.empty()) return line;
  return fail(ErrorCode::invalid, "Standard input has no password.");
}

Result<std::string> content_of(const std::string& file) {
  constexpr std::size_t kLimitBytes = 64 * 1024;
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (in && !text.empty() && text.size() <= kLimitBytes) return text;
  return fail(ErrorCode::invalid, fmt::format("The private key {} cannot be read.", file));
}

Result<core::ConnectorWish> wish_of(const ConnectorOptions& options) {
  core::ConnectorWish wish = options.wish;
  if (options.private_key_file) {
    auto key = content_of(*options.private_key_file);
    if (!key) return failure_of(std::move(key));
    wish.credential = core::Credential::private_key;
    wish.secret = *std::move(key);
    // A line on standard input is the key's passphrase then.
    if (options.password_stdin) {
      auto passphrase = password_from_stdin();
      if (!passphrase) return failure_of(std::move(passphrase));
      wish.passphrase = *std::move(passphrase);
    }
  } else if (options.password_stdin) {
    auto password = password_from_stdin();
    if (!password) return failure_of(std::move(password));
    wish.credential = core::Credential::password;
    wish.secret = *std::move(password);
  }
  return wish;
}

boost::json::object json_of(const catalog::Connector& connector) {
  boost::json::object object = {{"id", connector.id.value},
                                {"kind", catalog::to_string(connector.kind)},
                                {"name", connector.name},
                                {"description", connector.description},
                                {"target", connector.target},
                                {"readOnly", connector.read_only},
                                {"createdAt", format_timestamp(connector.created_at)}};
  if (const auto settings = core::settings_of(connector)) object["hostKey"] = settings->host_key;
  return object;
}

std::string line_of(const catalog::Connector& connector) {
  return fmt::format("{}  {}  {}{}", connector.id.value, connector.name, connector.target,
                     connector.read_only ? "  read-only" : "");
}

int show(const Desk& desk, const catalog::Connector& connector) {
  say(desk.options.json ? serialize(json_of(connector)) : line_of(connector));
  return 0;
}

int add_connector(Desk& desk) {
  auto wish = wish_of(desk.options);
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
      all.push_back(json_of(connector));
    } else {
      say(line_of(connector));
    }
  }
  if (desk.options.json) say(serialize(all));
  return 0;
}

int set_connector(Desk& desk) {
  auto wish = wish_of(desk.options);
  if (!wish) return complain(wish.error());
  const auto& which = desk.options.which;
  const auto changed = run(desk.service.change(desk.account, which, *std::move(wish)));
  return changed ? show(desk, *changed) : complain(which, changed.error());
}

int remove_connector(Desk& desk) {
  const auto& which = desk.options.which;
  const auto removed = run(desk.service.remove(desk.account, which));
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

using Runner = int (*)(Desk&);

int at_desk(const ConnectorOptions& options, Runner runner) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto node = Node::open(*settings, 4);
  if (!node) return complain(node.error());
  const auto account = run((*node)->catalog().accounts().find(options.account));
  if (!account) return complain(options.account, account.error());
  // Who has the command line is the administrator.
  constexpr bool kByAdministrator = true;
  Desk desk{options,
            account->id,
            {(*node)->catalog(), (*node)->mount_backends(), (*node)->sealer(), kByAdministrator}};
  return runner(desk);
}

struct Added {
  CLI::App* command;
  std::shared_ptr<ConnectorOptions> options;
};

Added add(CLI::App& group, std::string name, std::string help, Runner runner, Action& chosen) {
  auto options = std::make_shared<ConnectorOptions>();
  CLI::App* command = group.add_subcommand(std::move(name), std::move(help));
  options->common = add_common_options(*command);
  command->add_option("--account", options->account, "The account's name")->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([&chosen, options, runner] {
    chosen = [options, runner] { return at_desk(*options, runner); };
  });
  return {command, options};
}

void add_which(const Added& added) {
  added.command->add_option("CONNECTOR", added.options->which, "The connector's id or name")
      ->required();
}

void add_wishes(const Added& added) {
  CLI::App& command = *added.command;
  core::ConnectorWish& wish = added.options->wish;
  command.add_option("--name", wish.name, "How it is called, unique for the account");
  command.add_option("--description", wish.description, "What it is, for people");
  command.add_option("--host", wish.host, "The server's name or address");
  command.add_option("--port", wish.port,
                     "Its port; 21, 990 or 22 by default, as the kind and --tls say");
  command.add_option("--user", wish.user, "Whom to log in as");
  command.add_option("--root", wish.root,
                     "The folder on the server; where a login leads by default");
  command.add_option("--tls", wish.tls, "none, explicit or implicit; for FTP")
      ->transform(CLI::CheckedTransformer(kTlsModes));
  command.add_flag("--password-stdin", added.options->password_stdin,
                   "Read the password, or the key's passphrase, from standard input");
  command
      .add_option("--private-key", added.options->private_key_file,
                  "A private key's file, for SFTP")
      ->type_name("FILE");
  auto* pinned = command.add_option("--host-key", wish.host_key,
                                    "The server's key, as ssh-keygen -l prints it: SHA256:…");
  command.add_flag("--trust-on-first-use", wish.trusts_first_key, "Pin the key that it shows now")
      ->excludes(pinned);
}

}  // namespace

void add_connector_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("connector", "Mount FTP and SFTP servers");
  group->require_subcommand(1);
  const Added made = add(*group, "add", "Mount a server", &add_connector, chosen);
  made.command
      ->add_option_function<std::string>(
          "--kind",
          [options = made.options](const std::string& name) { options->kind = kKinds.at(name); },
          "ftp or sftp")
      ->required()
      ->check(CLI::IsMember(kKinds));
  add_wishes(made);
  made.command->add_flag("--read-only{true}", made.options->wish.read_only,
                         "Nothing can be changed through it");
  add(*group, "list", "List the account's connectors", &list_connectors, chosen);
  const Added set = add(*group, "set",
                        "Change a connector; another host, port, user or root revokes the keys "
                        "limited to its folders",
                        &set_connector, chosen);
  add_which(set);
  add_wishes(set);
  set.command->add_option("--read-only", set.options->wish.read_only, "true or false");
  add_which(add(*group, "remove", "Remove a connector", &remove_connector, chosen));
  add_which(add(*group, "test", "See whether a connector works", &test_connector, chosen));
}

}  // namespace coffer::app
