#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <string>

#include "app/backup.h"
#include "app/command.h"
#include "app/output.h"
#include "base/size_format.h"

namespace coffer::app {
namespace {

struct BackupOptions : RequestOptions {
  std::string folder;
};

/// Either of the two functions of backup.h.
using Work = Result<BackupSize>(const Settings& settings, const std::filesystem::path& folder);

int do_work(const BackupOptions& options, Work& work, std::string_view done) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto size = work(*settings, options.folder);
  if (!size) return complain(size.error());
  if (options.json) {
    boost::json::object told{
        {"accounts", size->accounts}, {"files", size->files}, {"bytes", size->bytes}};
    if (size->moved_scopes) told["movedScopes"] = *size->moved_scopes;
    print(boost::json::serialize(told));
    return 0;
  }
  print(fmt::format("{}: {} account{}, {} file{}, {}.", done, size->accounts,
                    size->accounts == 1 ? "" : "s", size->files, size->files == 1 ? "" : "s",
                    format_size(size->bytes)));
  if (size->moved_scopes.value_or(0) > 0) {
    print(
        fmt::format("Not in it, since their folder was moved meanwhile: {} of the keys, links and "
                    "shares that are for one folder.",
                    *size->moved_scopes));
  }
  return 0;
}

int run_backup(const BackupOptions& options) {
  return do_work(options, back_up, "Backed up");
}

int run_restore(const BackupOptions& options) {
  return do_work(options, restore, "Restored");
}

void add_folder(CLI::App& command, BackupOptions& options, std::string help) {
  command.add_option("FOLDER", options.folder, std::move(help))
      ->type_name("DIR")
      ->required()
      ->check(&check_not_empty);
}

}  // namespace

void add_backup_commands(CLI::App& program, Action& chosen) {
  const auto backup =
      add_command(program, "backup", "Copy the data to a new folder, also while the server runs",
                  &run_backup, chosen);
  add_folder(*backup.command, *backup.options, "A folder that is empty or missing");
  const auto restored = add_command(program, "restore", "Make an empty data folder from a backup",
                                    &run_restore, chosen);
  add_folder(*restored.command, *restored.options, "The folder that `coffer backup` made");
}

}  // namespace coffer::app
