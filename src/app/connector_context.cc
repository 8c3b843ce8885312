#include "app/connector_context.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <utility>

#include "app/app_context.h"
#include "app/output.h"
#include "async/run.h"

namespace coffer::app {
namespace {

/// Those who give the command may read other files than the data folder's owner.
void read_files(ConnectorOptions& options) {
  if (options.private_key_file) options.files.read(*options.private_key_file);
  for (const std::string& given : options.drive.file_parameters) {
    options.files.read(given.substr(given.find('=') + 1));
  }
}

int run_command(ConnectorOptions& options, Runner runner, Secrets secrets) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  read_files(options);
  const auto app = AppContext::open(*settings, 4);
  if (!app) return complain(app.error());
  const auto& has_key = (*app)->has_secret_key();
  if (!has_key && secrets == Secrets::needed) return complain(has_key.error());
  const auto account = run((*app)->catalog().accounts().find(options.account));
  if (!account) return complain(options.account, account.error());
  // Who has the command line is the administrator.
  constexpr bool kByAdministrator = true;
  catalog::Catalog& catalog = (*app)->catalog();
  const core::Sealer& sealer = (*app)->sealer();
  core::DriveProviders& providers = (*app)->drive_providers();
  CommandContext context{options,
                         account->id,
                         {catalog, (*app)->mount_backends(), sealer, kByAdministrator},
                         {catalog, providers, sealer, kByAdministrator},
                         providers};
  return runner(context);
}

void tell_drive(const CommandContext& context, const core::DriveSettings& settings,
                boost::json::object& object) {
  boost::json::object parameters;
  for (const auto& [name, value] : settings.parameters) {
    const bool is_secret = context.providers.is_secret(settings.type, name);
    parameters[name] = is_secret ? boost::json::value() : boost::json::value(value);
  }
  object["type"] = settings.type;
  object["root"] = settings.root;
  object["parameters"] = std::move(parameters);
}

}  // namespace

ConnectorCommand add_connector_command(CLI::App& group, std::string name, std::string help,
                                       Runner runner, Action& chosen, Secrets secrets) {
  auto options = std::make_shared<ConnectorOptions>();
  CLI::App* command = group.add_subcommand(std::move(name), std::move(help));
  options->common = add_common_options(*command);
  command->add_option("--account", options->account, "The account's name")->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([&chosen, options, runner, secrets] {
    chosen = [options, runner, secrets] { return run_command(*options, runner, secrets); };
  });
  return {command, options};
}

core::Trial trial_of(const ConnectorOptions& options) {
  return options.no_test ? core::Trial::none : core::Trial::before_storing;
}

boost::json::object json_of(const CommandContext& context, const catalog::Connector& connector) {
  boost::json::object object = {{"id", connector.id.value},
                                {"kind", catalog::to_string(connector.kind)},
                                {"name", connector.name},
                                {"description", connector.description},
                                {"target", connector.target},
                                {"readOnly", connector.read_only},
                                {"createdAt", format_timestamp(connector.created_at)}};
  if (connector.kind == catalog::ConnectorKind::drive) {
    if (const auto settings = context.drives.settings_of(connector)) {
      tell_drive(context, *settings, object);
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

int show(const CommandContext& context, const catalog::Connector& connector) {
  print(context.options.json ? serialize(json_of(context, connector)) : line_of(connector));
  if (context.options.json || !context.options.patch.trusts_first_key) return 0;
  const auto settings = core::settings_of(connector);
  if (settings) print(fmt::format("The host key that was pinned: {}", settings->host_key));
  return 0;
}

}  // namespace coffer::app
