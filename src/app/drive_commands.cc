#include "app/drive_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <utility>

#include "app/app_context.h"
#include "app/authorize_text.h"
#include "app/connector_patches.h"
#include "app/output.h"
#include "app/table.h"
#include "app/terminal_input.h"
#include "async/run.h"
#include "core/connectors/drive_authorization.h"

namespace coffer::app {
namespace {

struct ProviderOptions {
  std::shared_ptr<CommonOptions> common;
  bool json = false;
};

std::string json_of(const std::vector<core::DriveProvider>& providers) {
  boost::json::array all;
  for (const core::DriveProvider& provider : providers) {
    all.push_back(boost::json::object{{"type", provider.type},
                                      {"name", provider.name},
                                      {"usesOAuth", provider.uses_oauth},
                                      {"options", provider.options}});
  }
  return serialize(all);
}

int list_providers(const ProviderOptions& options) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto app = AppContext::open(*settings, 2);
  if (!app) return complain(app.error());
  const auto providers = run((*app)->drive_providers().list());
  if (!providers) return complain(providers.error());
  if (options.json) {
    print(json_of(*providers));
    return 0;
  }
  Table table({"TYPE", "LOG-IN", "NAME"});
  for (const core::DriveProvider& provider : *providers) {
    table.add({provider.type, provider.uses_oauth ? "OAuth" : "", provider.name});
  }
  table.print();
  return 0;
}

std::string prompt_of(const core::ConnectorSettings& settings, core::DriveProviders& providers) {
  const std::string variable = core::authorize_environment(settings);
  const std::string before =
      variable.empty()
          ? std::string()
          : fmt::format(", where the environment has the client_secret as {}", variable);
  return fmt::format(
      "Run this on a machine with a browser and rclone{}:\n\n  {}\n\n"
      "Then paste here what it prints at its end. It will not show. Ctrl-C gives up.\n",
      before, core::authorize_command(settings, providers));
}

Result<core::DriveParameters> ask_login(const CommandContext& context,
                                        const core::ConnectorSettings& settings) {
  std::string prompt;
  if (!context.options.drive.token_stdin) prompt = prompt_of(settings, context.providers);
  const auto pasted = read_terminal_input(prompt, &is_whole_login);
  if (!pasted) return failure_of(pasted);
  return login_of(*pasted);
}

int authorize_new(CommandContext& context) {
  if (!context.options.drive.type) {
    return complain("A new drive needs --remote-type; or name the connector to log in to again.");
  }
  auto patch = drive_patch_of(context.options);
  if (!patch) return complain(patch.error());
  // No login is asked for what cannot be.
  const auto may = run(context.drives.may_log_in(context.account, *patch));
  if (!may) return complain(may.error());
  core::ConnectorSettings settings;
  settings.provider = *patch->provider;
  settings.parameters = patch->parameters;
  auto login = ask_login(context, settings);
  if (!login) return complain(login.error());
  const auto made =
      run(context.drives.add_with_login(context.account, *std::move(patch), *std::move(login)));
  return made ? show(context, *made) : complain(made.error());
}

/// True if something is said of a connector that is to be made.
bool says_of_new(const ConnectorOptions& options) {
  const core::ConnectorPatch& patch = options.patch;
  const DriveOptions& drive = options.drive;
  return patch.name || patch.description || patch.read_only == true || patch.root || drive.type ||
         !drive.parameters.empty() || !drive.typed_parameters.empty() ||
         !drive.file_parameters.empty();
}

int renew_login(CommandContext& context) {
  const auto& which = context.options.which;
  if (says_of_new(context.options)) {
    return complain(
        "A CONNECTOR has a new login alone; `coffer connector set` changes other things.");
  }
  const auto connector = run(context.service.find(context.account, which));
  if (!connector) return complain(which, connector.error());
  const auto settings = context.drives.may_renew(*connector);
  if (!settings) return complain(which, settings.error());
  auto login = ask_login(context, *settings);
  if (!login) return complain(which, login.error());
  const auto renewed =
      run(context.drives.renew_login(context.account, connector->id, *std::move(login)));
  return renewed ? show(context, *renewed) : complain(which, renewed.error());
}

int authorize(CommandContext& context) {
  return context.options.which.empty() ? authorize_new(context) : renew_login(context);
}

void add_providers(CLI::App& group, Action& chosen) {
  auto options = std::make_shared<ProviderOptions>();
  CLI::App* command = group.add_subcommand("providers", "List the providers of cloud drives");
  options->common = add_common_options(*command);
  command->add_flag("--json", options->json, "Print JSON, with the options that each one has");
  command->callback(
      [&chosen, options] { chosen = [options] { return list_providers(*options); }; });
}

void add_authorize(CLI::App& group, Action& chosen) {
  const auto added = add_connector_command(
      group, "authorize",
      "Mount a cloud drive that is logged in to in a browser, or renew such a login: it says what "
      "to run where the browser is, and reads what that prints from standard input. Renew it with "
      "the same account: the keys limited to the drive's folders stay",
      &authorize, chosen);
  added.command->add_option("CONNECTOR", added.options->which,
                            "The id or name of the connector whose login to renew");
  add_provider_option(added);
  add_place_options(added);
  add_drive_options(added);
  add_read_only_flag(added);
  added.command->add_flag("--token-stdin", added.options->drive.token_stdin,
                          "Only read, after the lines for --param-stdin, and say nothing");
}

/// A drive is tried when it is stored, since a token that it renews meanwhile has to be kept.
int keep_if_it_works(CommandContext& context, const catalog::Connector& made) {
  const auto works = run(context.service.test(made));
  if (works) return show(context, made);
  const auto removed = run(context.service.remove(context.account, made.id));
  return complain(made.name, removed ? works.error() : removed.error());
}

}  // namespace

int add_drive(CommandContext& context) {
  if (!context.options.drive.type) {
    return complain(
        "A drive needs --remote-type; `coffer connector providers` lists what it can be.");
  }
  auto patch = drive_patch_of(context.options);
  if (!patch) return complain(patch.error());
  const bool lacks_token =
      context.providers.uses_oauth(*patch->provider) && !patch->parameters.contains("token");
  const auto made =
      run(context.service.add(context.account, context.options.kind, *std::move(patch)));
  if (made)
    return context.options.no_test ? show(context, *made) : keep_if_it_works(context, *made);
  const bool is_hinted = lacks_token && made.error().code == ErrorCode::invalid;
  return complain(made.error().message +
                  (is_hinted ? " Or let `coffer connector authorize` ask for the login." : ""));
}

void add_drive_commands(CLI::App& group, Action& chosen) {
  add_providers(group, chosen);
  add_authorize(group, chosen);
}

}  // namespace coffer::app
