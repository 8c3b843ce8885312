#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "api/services.h"
#include "app/app_context.h"
#include "app/live_settings.h"
#include "app/settings.h"
#include "async/memory_room.h"
#include "core/accounts/counting.h"
#include "core/bin/bin_keeper.h"
#include "core/connectors/account_connectors.h"
#include "core/connectors/drive_logins.h"
#include "core/connectors/share_service.h"
#include "core/events/watches_for_others.h"
#include "core/namespace/access_recheck.h"
#include "core/tasks/background.h"
#include "http/proxy_watch.h"
#include "mounts/local_share_roots.h"
#include "storage/spool.h"

namespace coffer::app {

/// All services that the API uses. Each service is declared after the services that it depends on.
/// See each class for its thread safety. The constructor's arguments must outlive this object.
class ServerServices {
 public:
  /// `most_streams` is the maximum number of clients that receive events at the same time.
  ServerServices(const Settings& settings, LiveSettings::Load load, AppContext& app,
                 storage::Spool& spool, core::Background& background, std::size_t most_streams);
  ServerServices(const ServerServices&) = delete;
  ServerServices& operator=(const ServerServices&) = delete;

  const MemoryRoom memory;
  core::FolderLister lister;
  core::FolderChanges folder_changes;
  core::Authenticator authenticator;
  core::TaskRunner task_runner;
  core::AccessRecheck access_recheck;
  core::BinKeeper bin_keeper;
  core::Counting counting;
  core::AccountBytes loans;
  core::MountRoom mount_room;
  const core::Quota quota;
  core::Parking parking;
  core::MoveCopyService move_copy;
  core::BinService bin;
  core::Files files;
  core::FileTasks tasks;
  core::PasswordQueue passwords;
  core::PasswordChecks password_checks;
  core::SignInService sign_in;
  core::KeyService keys;
  core::LinkService links;
  core::AccountService accounts;
  core::ResumableUploads uploads;
  core::ShareService shares;
  mounts::LocalShareRoots share_roots;
  core::AccountConnectors connectors;
  core::DriveLogins drive_logins;
  core::ContentAddresses content_addresses;
  core::ArchiveService archives;
  core::SearchService searches;
  core::ThumbnailService thumbnails;
  core::EventService events;
  core::WatchesForOthers watches_for_others;
  LiveSettings live_settings;
  http::ProxyWatch proxy_watch;
  const std::string base_path;
  const std::string catalog_name;

  api::Services api;
};

}  // namespace coffer::app
