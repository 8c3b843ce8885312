#include "app/drive_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <utility>

#include "app/authorize_text.h"
#include "app/connector_wishes.h"
#include "app/node.h"
#include "app/output.h"
#include "app/paste.h"
#include "async/run.h"

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
  const auto node = Node::open(*settings, 2);
  if (!node) return complain(node.error());
  const auto providers = run((*node)->drive_providers().list());
  if (!providers) return complain(providers.error());
  if (options.json) {
    say(json_of(*providers));
    return 0;
  }
  for (const core::DriveProvider& provider : *providers) {
    say(fmt::format("{:<22}{:<7}{}", provider.type, provider.uses_oauth ? "OAuth" : "",
                    provider.name));
  }
  return 0;
}

std::string prompt_of(const core::DriveSettings& settings, core::DriveProviders& providers) {
  const std::string variable = authorize_environment(settings);
  const std::string before =
      variable.empty()
          ? std::string()
          : fmt::format(", where the environment has the client_secret as {}", variable);
  return fmt::format(
      "Run this on a machine with a browser and rclone{}:\n\n  {}\n\n"
      "Then paste here what it prints at its end. It will not show. Ctrl-C gives up.\n",
      before, authorize_command(settings, providers));
}

Result<core::DriveParameters> ask_login(const Desk& desk, const core::DriveSettings& settings) {
  std::string prompt;
  if (!desk.options.drive.token_stdin) prompt = prompt_of(settings, desk.providers);
  const auto pasted = read_paste(prompt, &is_whole_login);
  if (!pasted) return failure_of(pasted);
  return login_of(*pasted);
}

int authorize_new(Desk& desk) {
  if (!desk.options.drive.type) {
    return complain("A new drive needs --remote-type; or name the connector to log in to again.");
  }
  auto wish = drive_wish_of(desk.options);
  if (!wish) return complain(wish.error());
  // Nobody shall log in for what cannot be.
  const auto may = run(desk.drives.may_log_in(desk.account, *wish));
  if (!may) return complain(may.error());
  core::DriveSettings settings;
  settings.type = *wish->type;
  settings.parameters = wish->parameters;
  auto login = ask_login(desk, settings);
  if (!login) return complain(login.error());
  const auto made =
      run(desk.drives.add_with_login(desk.account, *std::move(wish), *std::move(login)));
  return made ? show(desk, *made) : complain(made.error());
}

/// True if something is said of a connector that is to be made.
bool says_of_new(const ConnectorOptions& options) {
  const core::ConnectorWish& wish = options.wish;
  const DriveOptions& drive = options.drive;
  return wish.name || wish.description || wish.read_only == true || wish.root || drive.type ||
         !drive.parameters.empty() || !drive.typed_parameters.empty() ||
         !drive.file_parameters.empty();
}

int renew_login(Desk& desk) {
  const auto& which = desk.options.which;
  if (says_of_new(desk.options)) {
    return complain(
        "A CONNECTOR has a new login alone; `coffer connector set` changes other things.");
  }
  const auto connector = run(desk.service.find(desk.account, which));
  if (!connector) return complain(which, connector.error());
  const auto settings = desk.drives.may_renew(*connector);
  if (!settings) return complain(which, settings.error());
  auto login = ask_login(desk, *settings);
  if (!login) return complain(which, login.error());
  const auto renewed = run(desk.drives.renew_login(desk.account, connector->id, *std::move(login)));
  return renewed ? show(desk, *renewed) : complain(which, renewed.error());
}

int authorize(Desk& desk) {
  return desk.options.which.empty() ? authorize_new(desk) : renew_login(desk);
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
  added.command->add_flag("--read-only{true}", added.options->wish.read_only,
                          "Nothing can be changed through it");
  added.command->add_flag("--token-stdin", added.options->drive.token_stdin,
                          "Only read, after the lines for --param-stdin, and say nothing");
}

}  // namespace

int add_drive(Desk& desk) {
  if (!desk.options.drive.type) {
    return complain(
        "A drive needs --remote-type; `coffer connector providers` lists what it can be.");
  }
  auto wish = drive_wish_of(desk.options);
  if (!wish) return complain(wish.error());
  const bool lacks_token =
      desk.providers.uses_oauth(*wish->type) && !wish->parameters.contains("token");
  const auto made = run(desk.drives.add(desk.account, *std::move(wish)));
  if (made) return show(desk, *made);
  const bool is_hinted = lacks_token && made.error().code == ErrorCode::invalid;
  return complain(made.error().message +
                  (is_hinted ? " Or let `coffer connector authorize` ask for the login." : ""));
}

void add_drive_commands(CLI::App& group, Action& chosen) {
  add_providers(group, chosen);
  add_authorize(group, chosen);
}

}  // namespace coffer::app
