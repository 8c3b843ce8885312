#include "app/server_services.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/settings.h"

namespace coffer::app {
namespace {

constexpr std::uint64_t kMebibyte = 1024 * 1024;

/// What waits for mounts lies in the spool, and in part on the disk of the data folder.
Task<Result<std::uint64_t>> room_for_mounts(storage::Spool& spool, AppContext& app,
                                            const std::filesystem::path& data) {
  CO_TRY(const auto in_spool, co_await spool.free_bytes(app.pools().common()));
  auto look = [&data]() -> std::uint64_t {
    std::error_code error;
    const auto space = std::filesystem::space(data, error);
    return error ? 0 : space.available;
  };
  const auto on_disk = co_await app.pools().common().run(std::move(look));
  co_return std::min(in_spool, on_disk);
}

}  // namespace

ServerServices::ServerServices(const Settings& given, LiveSettings::Load load, AppContext& app,
                               storage::Spool& spool, core::Background& background,
                               std::size_t most_streams)
    : memory(MemoryRoom::limits_of(given.memory_mib * kMebibyte)),
      lister(memory),
      folder_changes(app.catalog(), app.mounts()),
      authenticator(app.catalog().keys(), folder_changes),
      task_runner(app.catalog().tasks(), background),
      access_recheck(app.catalog(), app.mounts()),
      bin_keeper(app.catalog(), app.homes(), app.mounts()),
      counting(app.catalog().ledger(), app.catalog().accounts(), app.homes()),
      mount_room(
          app.catalog().uploads(),
          [&spool, &app, &given] { return room_for_mounts(spool, app, given.data); },
          given.mount_uploads_limit),
      quota{app.catalog().ledger(), background, bin_keeper, loans, mount_room, &counting},
      parking(app.catalog()),
      move_copy(app.mounts(), access_recheck, quota, task_runner, folder_changes, parking),
      bin(app.catalog(), app.homes(), app.mounts(), quota, folder_changes, access_recheck,
          move_copy, bin_keeper, std::chrono::days(given.bin_days)),
      files(app.catalog(), app.homes(), app.mounts(), quota, access_recheck, move_copy,
            folder_changes, app.pools(), lister),
      tasks({app.catalog(), app.homes(), app.mounts(), quota, folder_changes, access_recheck,
             move_copy, files, bin},
            task_runner, app.pools()),
      password_checks(app.catalog()),
      sign_in(app.catalog(), passwords, password_checks),
      keys(app.catalog(), app.homes(), app.mounts(), folder_changes),
      links(app.catalog(), app.homes(), app.mounts(), folder_changes, authenticator, sign_in,
            passwords, app.sealer()),
      accounts(app.catalog(), app.homes(), app.pools().common(), passwords),
      uploads(app.catalog(), app.homes(), app.mounts(), quota, folder_changes, app.pools(), spool),
      shares(app.catalog(), app.mount_backends()),
      share_roots(given.share_roots, given.data, app.pools().common()),
      connectors(app.catalog(), app.mount_backends(), app.connector_types(), app.drive_providers(),
                 app.sealer(), app.mount_backends()),
      drive_logins(connectors, app.drive_providers(), app.sealer(), app.remote_access()),
      content_addresses(app.catalog(), app.sealer()),
      archives(app.catalog(), app.homes(), app.mounts(), app.pools(), memory, lister),
      searches(app.catalog(), app.homes(), app.mounts(), background, app.pools(), memory, lister),
      thumbnails(files, app.pools(), given.data / "thumbnails"),
      events({app.catalog(), app.homes(), app.mounts(), tasks, background}, most_streams),
      watches_for_others(app.catalog(), app.homes(), app.mounts(), events, background),
      live_settings(given, std::move(load), app.pools().common()),
      base_path(given.base_path),
      catalog_name(given.catalog_name()),
      api{.authenticator = authenticator,
          .files = files,
          .bin = bin,
          .sign_in = sign_in,
          .keys = keys,
          .links = links,
          .accounts = accounts,
          .content_addresses = content_addresses,
          .archives = archives,
          .searches = searches,
          .events = events,
          .thumbnails = thumbnails,
          .pools = app.pools(),
          .uploads = uploads,
          .tasks = tasks,
          .shares = shares,
          .share_roots = share_roots,
          .connectors = connectors,
          .drive_logins = drive_logins,
          .access_recheck = access_recheck,
          .audit = app.catalog().audit(),
          .selections = app.catalog().selections(),
          .server_state = live_settings,
          .proxy_watch = proxy_watch,
          .memory = memory,
          .base_path = base_path,
          .catalog_name = catalog_name} {
  task_runner.on_change(
      [this](AccountId account, const TaskId& task) { events.task_changed(account, task); });
}

}  // namespace coffer::app
