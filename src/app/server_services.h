#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "api/services.h"
#include "app/app_context.h"
#include "app/ldap_directory.h"
#include "app/live_settings.h"
#include "app/oidc_provider.h"
#include "app/readiness.h"
#include "app/settings.h"
#include "async/memory_room.h"
#include "core/accounts/counting.h"
#include "core/bin/bin_keeper.h"
#include "core/connectors/account_connectors.h"
#include "core/connectors/drive_logins.h"
#include "core/connectors/share_service.h"
#include "core/events/watches_for_others.h"
#include "core/identity/basic_sessions.h"
#include "core/identity/directory_sign_in.h"
#include "core/identity/provider_sign_in.h"
#include "core/identity/proxy_sign_in.h"
#include "core/namespace/access_recheck.h"
#include "core/sharing/person_share_service.h"
#include "core/tasks/background.h"
#include "core/versions/version_keeper.h"
#include "core/versions/version_service.h"
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

  /// Lets people sign in at the provider that the settings name, with this server's secret there.
  /// Call it before the API is used, and only if `oidc_issuer` is set.
  void offer_provider(const Settings& settings, AppContext& app, std::string client_secret);
  /// Lets people sign in by the directory that the settings name, with this server's password
  /// there. Call it before the API is used, and only if `ldap_url` is set.
  void offer_directory(const Settings& settings, AppContext& app, std::string bind_password);
  /// Lets people sign in whom a proxy names. Call it before the API is used, and only if
  /// `proxy_user_header` is set.
  void offer_proxy(const Settings& settings, AppContext& app);

  const MemoryRoom memory;
  core::FolderLister lister;
  core::FolderChanges folder_changes;
  core::Authenticator authenticator;
  core::TaskRunner task_runner;
  core::AccessRecheck access_recheck;
  core::BinKeeper bin_keeper;
  core::VersionKeeper version_keeper;
  core::Counting counting;
  core::AccountBytes loans;
  core::MountRoom mount_room;
  const core::Quota quota;
  core::Parking parking;
  core::MoveCopyService move_copy;
  core::BinService bin;
  core::Files files;
  core::ItemLocks item_locks;
  core::VersionService versions;
  core::FileTasks tasks;
  core::PasswordQueue passwords;
  core::PasswordChecks password_checks;
  core::SignInService sign_in;
  const core::SignInRules sign_in_rules;
  core::SecondFactorService second_factors;
  core::BasicSessions basic_sessions;
  core::PasskeyService passkeys;
  core::KeyService keys;
  core::LinkService links;
  core::PersonShareService person_shares;
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
  std::unique_ptr<OidcProvider> provider;                    ///< Null: there is none.
  std::unique_ptr<LdapDirectory> directory;                  ///< Null: there is none.
  std::unique_ptr<core::DirectorySignIn> directory_sign_in;  ///< Null: there is none.
  std::unique_ptr<core::ProviderSignIn> provider_sign_in;
  std::unique_ptr<core::ProxySignIn> proxy_sign_in;  ///< Null: no proxy signs people in.
  LiveSettings live_settings;
  ServerReadiness readiness;
  http::ProxyWatch proxy_watch;
  const std::string base_path;
  const std::string public_url;
  const std::string catalog_name;

  api::Services api;
};

}  // namespace coffer::app
