#include "app/connector_desk.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <utility>

#include "app/node.h"
#include "app/output.h"
#include "async/run.h"

namespace coffer::app {
namespace {

int at_desk(const ConnectorOptions& options, Runner runner) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto node = Node::open(*settings, 4);
  if (!node) return complain(node.error());
  const auto account = run((*node)->catalog().accounts().find(options.account));
  if (!account) return complain(options.account, account.error());
  // Who has the command line is the administrator.
  constexpr bool kByAdministrator = true;
  catalog::Catalog& catalog = (*node)->catalog();
  const core::Sealer& sealer = (*node)->sealer();
  core::DriveProviders& providers = (*node)->drive_providers();
  Desk desk{options,
            account->id,
            {catalog, (*node)->mount_backends(), sealer, kByAdministrator},
            {catalog, providers, sealer, kByAdministrator},
            providers};
  return runner(desk);
}

void tell_drive(const Desk& desk, const core::DriveSettings& settings,
                boost::json::object& object) {
  boost::json::object parameters;
  for (const auto& [name, value] : settings.parameters) {
    const bool is_secret = desk.providers.is_secret(settings.type, name);
    parameters[name] = is_secret ? boost::json::value() : boost::json::value(value);
  }
  object["type"] = settings.type;
  object["root"] = settings.root;
  object["parameters"] = std::move(parameters);
}

}  // namespace

ConnectorCommand add_connector_command(CLI::App& group, std::string name, std::string help,
                                       Runner runner, Action& chosen) {
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

boost::json::object json_of(const Desk& desk, const catalog::Connector& connector) {
  boost::json::object object = {{"id", connector.id.value},
                                {"kind", catalog::to_string(connector.kind)},
                                {"name", connector.name},
                                {"description", connector.description},
                                {"target", connector.target},
                                {"readOnly", connector.read_only},
                                {"createdAt", format_timestamp(connector.created_at)}};
  if (connector.kind == catalog::ConnectorKind::drive) {
    if (const auto settings = desk.drives.settings_of(connector)) {
      tell_drive(desk, *settings, object);
    }
  } else if (const auto settings = core::settings_of(connector)) {
    object["hostKey"] = settings->host_key;
  }
  return object;
}

std::string line_of(const catalog::Connector& connector) {
  return fmt::format("{}  {}  {}{}", connector.id.value, connector.name, connector.target,
                     connector.read_only ? "  read-only" : "");
}

int show(const Desk& desk, const catalog::Connector& connector) {
  say(desk.options.json ? serialize(json_of(desk, connector)) : line_of(connector));
  return 0;
}

}  // namespace coffer::app
