#pragma once

#include <string>

#include "async/memory_room.h"
#include "core/accounts/account_service.h"
#include "core/batch/file_tasks.h"
#include "core/bin/bin_service.h"
#include "core/events/event_service.h"
#include "core/files/archive_service.h"
#include "core/files/files.h"
#include "core/files/item_locks.h"
#include "core/files/thumbnail_service.h"
#include "core/identity/passkey_service.h"
#include "core/identity/second_factor_service.h"
#include "core/identity/sign_in_rules.h"
#include "core/keys/authenticator.h"
#include "core/keys/key_service.h"
#include "core/links/content_addresses.h"
#include "core/links/link_service.h"
#include "core/search/search_service.h"
#include "core/sessions/sign_in_service.h"
#include "core/tasks/work_pools.h"
#include "core/uploads/resumable_uploads.h"

namespace coffer::catalog {
class Audit;
class Groups;
class Identities;
class Selections;
}  // namespace coffer::catalog

namespace coffer::core {
class AccessRecheck;
class AccountConnectors;
class DirectorySignIn;
class DriveLogins;
class PersonShareService;
class ProviderSignIn;
class ProxySignIn;
class Readiness;
class ServerState;
class ShareRoots;
class ShareService;
class VersionService;
}  // namespace coffer::core

namespace coffer::http {
class ProxyWatch;
}  // namespace coffer::http

namespace coffer::api {

/// The services that the handlers of requests use. The services must outlive the router.
struct Services {
  core::Authenticator& authenticator;
  core::Files& files;
  core::VersionService& versions;
  core::BinService& bin;
  core::SignInService& sign_in;
  core::SecondFactorService& second_factors;
  core::PasskeyService& passkeys;
  const core::SignInRules& sign_in_rules;
  core::KeyService& keys;
  core::LinkService& links;
  core::PersonShareService& person_shares;
  core::AccountService& accounts;
  core::ContentAddresses& content_addresses;
  core::ItemLocks& item_locks;
  core::ArchiveService& archives;
  core::SearchService& searches;
  core::EventService& events;
  core::ThumbnailService& thumbnails;
  core::WorkPools& pools;  ///< The threads that read files from disk and make large answers.
  core::ResumableUploads& uploads;
  core::FileTasks& tasks;
  core::ShareService& shares;
  core::ShareRoots& share_roots;
  core::AccountConnectors& connectors;
  core::DriveLogins& drive_logins;
  core::AccessRecheck& access_recheck;
  catalog::Audit& audit;
  catalog::Groups& groups;
  catalog::Identities& identities;
  catalog::Selections& selections;
  core::ServerState& server_state;
  core::Readiness& readiness;
  const http::ProxyWatch& proxy_watch;
  const MemoryRoom& memory;      ///< For what is made for clients and that they have not yet taken.
  const std::string& base_path;  ///< See http::ServerOptions::base_path.
  const std::string& public_url;    ///< The server's origin as people have it; empty: not known.
  const std::string& catalog_name;  ///< Commands that name another catalog are refused.
  core::ProviderSignIn* provider_sign_in = nullptr;    ///< Null: there is no provider.
  std::string provider_name = {};                      ///< For people.
  core::DirectorySignIn* directory_sign_in = nullptr;  ///< Null: there is no directory.
  core::ProxySignIn* proxy_sign_in = nullptr;          ///< Null: no proxy signs people in.
  std::string proxy_user_header = {};    ///< Of the person's name; see core::ProxyWords.
  std::string proxy_groups_header = {};  ///< Empty: there is none.
};

}  // namespace coffer::api
