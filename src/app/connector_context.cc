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
  CommandContext context{options,
                         account->id,
                         {catalog, (*app)->mount_backends(), (*app)->connector_types(),
                          (*app)->sealer(), kByAdministrator},
                         (*app)->drive_providers()};
  return runner(context);
}

/// What is of its form: a drive's parameters, or a server's host key.
void tell_settings(const core::ConnectorType& type, const core::ConnectorSettings& settings,
                   boost::json::object& object) {
  if (!type.is_drive()) {
    object["hostKey"] = settings.host_key;
    return;
  }
  boost::json::object parameters;
  for (const auto& [name, value] : type.shown_parameters(settings)) {
    parameters[name] = value ? boost::json::value(*value) : boost::json::value();
  }
  object["type"] = settings.provider;
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
  if (const auto settings = context.service.settings_of(connector)) {
    tell_settings(context.service.type_of(connector.kind), *settings, object);
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
  const auto settings = context.service.settings_of(connector);
  if (settings) print(fmt::format("The host key that was pinned: {}", settings->host_key));
  return 0;
}

}  // namespace coffer::app
