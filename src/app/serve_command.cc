
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "app/app_context.h"
#include "app/command.h"
#include "app/data_owner.h"
#include "app/output.h"
#include "app/server_run.h"
#include "app/settings.h"
#include "backends/local/local_spool.h"
#include "backends/objects/object_spool.h"
#include "catalog/object_names.h"
#include "catalog/upload_segments.h"
#include "storage/two_spools.h"

namespace coffer::app {
namespace {

/// Enough that many durable uploads can wait for the disk at the same time, half of them by one
/// account.
constexpr std::size_t kPoolThreads = 64;
/// How long the last lines of the log may take at the end.
constexpr std::chrono::seconds kLogEndLimit{1};

/// A server that root starts becomes the data folder's owner, as commands do, so that each can use
/// the other's files. Any other user may have been given the folder by its group.
Result<void> take_data_owner(const std::filesystem::path& data) {
  const auto owner = foreign_owner_of(data);
  if (!owner) return {};
  if (::geteuid() != 0) {
    spdlog::warn("the data folder belongs to another user than the server's: {}", *owner);
    return {};
  }
  spdlog::info("becoming the user that the data folder belongs to: {}", *owner);
  return become_owner_of(data);
}

Result<std::unique_ptr<storage::Spool>> local_spool(const Settings& settings) {
  const bool is_durable = settings.durability == Durability::durable;
  auto spool = local::LocalSpool::open(settings.data / "uploads", is_durable);
  if (spool) return *std::move(spool);
  return fail(ErrorCode::failed,
              fmt::format("The folder {} cannot be used: {}", (settings.data / "uploads").string(),
                          spool.error().message));
}

/// Unfinished uploads lie where new accounts' own files do, so that every server that has these can
/// go on. Those that began while that was another place are found there.
Result<std::unique_ptr<storage::Spool>> spool_of(const Settings& settings, AppContext& app) {
  TRY(auto on_disk, local_spool(settings));
  objects::Blobs* const blobs = app.object_store();
  if (blobs == nullptr) return on_disk;
  catalog::Catalog& catalog = app.catalog();
  std::unique_ptr<storage::Spool> in_objects =
      std::make_unique<objects::ObjectSpool>(objects::UploadStore{
          .names = catalog.object_names(), .segments = catalog.upload_segments(), .blobs = *blobs});
  if (settings.home_store == HomeStore::objects) std::swap(on_disk, in_objects);
  return std::make_unique<storage::TwoSpools>(std::move(on_disk), std::move(in_objects));
}

Result<void> run_server(const Settings& settings, LiveSettings::Load load) {
  TRY_VOID(take_data_owner(settings.data));
  TRY(const auto app, AppContext::open_server(settings, kPoolThreads));
  TRY_VOID(app->has_secret_key());
  TRY(const auto spool, spool_of(settings, *app));
  return run_until_stopped(settings, std::move(load), *app, *spool);
}

struct ServeOptions {
  std::shared_ptr<CommonOptions> common;
  std::string listen;
  bool print_config = false;
  bool print_template = false;
};

int print_file(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  print(text);
  return 0;
}

int serve(const ServeOptions& options) {
  if (options.print_template) return print_file(settings_template());
  const CommonOptions& common = *options.common;
  Flags flags;
  if (!options.listen.empty()) flags["listen"] = options.listen;
  const auto settings = common.load(flags);
  if (!settings) return complain(settings.error());
  if (options.print_config) return print_file(print_settings(*settings));
  // A terminal that closes ends what runs in it, not a server, which reads its settings then.
  std::signal(SIGHUP, SIG_IGN);
  BackgroundLog log(settings->log_level, settings->log_format);
  const auto served = run_server(*settings, [&] { return common.read(flags); });
  const bool written = log.close(kLogEndLimit);
  if (served) return 0;
  return written ? complain(served.error()) : 1;
}

}  // namespace

void add_serve_command(CLI::App& program, Action& chosen) {
  CLI::App* command = program.add_subcommand("serve", "Run the server until it is told to stop");
  auto options = std::make_shared<ServeOptions>();
  options->common = add_common_options(*command);
  command->add_option("--listen", options->listen, "Address and port, 127.0.0.1:8080 by default")
      ->type_name("ADDRESS:PORT");
  command->add_flag("--print-config", options->print_config,
                    "Print the settings in force, and stop");
  command->add_flag("--print-template", options->print_template,
                    "Print a settings file with all settings as comments, and stop");
  command->footer(std::string())->footer(&settings_help);
  command->callback([&chosen, options] { chosen = [options] { return serve(*options); }; });
}

}  // namespace coffer::app
