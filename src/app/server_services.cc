#include "app/server_services.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "api/v2/routes.h"
#include "app/settings.h"
#include "storage/remote.h"

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
      version_keeper(app.catalog(), app.homes(), bin_keeper),
      counting(app.catalog(), app.homes()),
      mount_room(
          app.catalog().uploads(),
          [&spool, &app, &given] { return room_for_mounts(spool, app, given.data); },
          given.mount_uploads_limit),
      quota{app.catalog().ledger(), background, version_keeper, loans, mount_room, &counting},
      parking(app.catalog()),
      move_copy(app.mounts(), access_recheck, quota, task_runner, folder_changes, parking),
      bin(app.catalog(), app.homes(), app.mounts(), quota, folder_changes, access_recheck,
          move_copy, bin_keeper, std::chrono::days(given.bin_days)),
      files(app.catalog(), app.homes(), app.mounts(), quota, access_recheck, move_copy,
            folder_changes, app.pools(), lister),
      item_locks(app.catalog(), app.homes(), app.mounts(), access_recheck),
      versions(app.homes(), app.mounts(), quota, access_recheck, folder_changes,
               std::chrono::days(given.version_days)),
      tasks({app.catalog(), app.homes(), app.mounts(), quota, folder_changes, access_recheck,
             move_copy, files, bin},
            task_runner, app.pools()),
      password_checks(app.catalog()),
      sign_in(app.catalog(), passwords, password_checks),
      sign_in_rules{given.password_sign_in, given.second_factor, given.passkeys},
      second_factors(app.catalog(), sign_in, app.sealer(), sign_in_rules),
      basic_sessions(app.catalog().second_factors(), sign_in, second_factors),
      passkeys(app.catalog(), sign_in, second_factors, app.sealer(), app.pools().common()),
      keys(app.catalog(), app.homes(), app.mounts(), folder_changes),
      links(app.catalog(), app.homes(), app.mounts(), folder_changes, authenticator, sign_in,
            passwords, app.sealer()),
      person_shares(app.catalog(), app.homes(), app.mounts(), folder_changes, given.share_with),
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
      readiness(app, background),
      base_path(given.base_path),
      public_url(given.public_url),
      catalog_name(given.catalog_name()),
      api{.authenticator = authenticator,
          .files = files,
          .versions = versions,
          .bin = bin,
          .sign_in = sign_in,
          .second_factors = second_factors,
          .passkeys = passkeys,
          .sign_in_rules = sign_in_rules,
          .keys = keys,
          .links = links,
          .person_shares = person_shares,
          .accounts = accounts,
          .content_addresses = content_addresses,
          .item_locks = item_locks,
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
          .groups = app.catalog().groups(),
          .identities = app.catalog().identities(),
          .selections = app.catalog().selections(),
          .server_state = live_settings,
          .readiness = readiness,
          .proxy_watch = proxy_watch,
          .memory = memory,
          .base_path = base_path,
          .public_url = public_url,
          .catalog_name = catalog_name} {
  task_runner.on_change(
      [this](AccountId account, const TaskId& task) { events.task_changed(account, task); });
}

void ServerServices::offer_provider(const Settings& settings, AppContext& app,
                                    std::string client_secret) {
  oidc::ProviderOptions options;
  options.issuer = settings.oidc_issuer;
  options.client_id = settings.oidc_client_id;
  options.client_secret = std::move(client_secret);
  options.scopes = settings.oidc_scopes;
  options.claims = {settings.oidc_name_claim, settings.oidc_groups_claim,
                    settings.oidc_quota_claim};
  options.ca_file = settings.oidc_ca_file.empty() ? storage::trusted_certificates().value_or("")
                                                  : settings.oidc_ca_file.string();
  options.ending = app.remote_access().ending();
  provider = std::make_unique<OidcProvider>(std::move(options));
  const std::string root = settings.public_url + settings.base_path;
  core::ProviderSignInOptions rules;
  rules.redirect = root + std::string(api::v2::kProviderReturnPath);
  rules.home = root + "/";
  rules.creates_accounts = settings.oidc_create_accounts;
  rules.logout_ends_keys = settings.oidc_logout_ends_keys;
  rules.gives_quotas = !settings.oidc_quota_claim.empty() || !settings.oidc_group_quotas.empty();
  rules.rules.allowed_groups = settings.oidc_allowed_groups;
  rules.rules.admin_groups = settings.oidc_admin_groups;
  for (const std::string& quota : settings.oidc_group_quotas) {
    rules.rules.group_quotas.push_back(core::parse_group_quota(quota).value());
  }
  provider_sign_in = std::make_unique<core::ProviderSignIn>(
      app.catalog(), accounts, sign_in, app.sealer(), *provider, std::move(rules));
  api.provider_sign_in = provider_sign_in.get();
  api.provider_name = settings.oidc_name.empty() ? settings.oidc_issuer : settings.oidc_name;
}

void ServerServices::offer_directory(const Settings& settings, AppContext& app,
                                     std::string bind_password) {
  ldap::DirectoryOptions options;
  options.url = settings.ldap_url;
  options.start_tls = settings.ldap_start_tls;
  options.ca_file = settings.ldap_ca_file.empty() ? storage::trusted_certificates().value_or("")
                                                  : settings.ldap_ca_file.string();
  options.bind_dn = settings.ldap_bind_dn;
  options.bind_password = std::move(bind_password);
  options.base = settings.ldap_base;
  options.filter = settings.ldap_filter;
  options.id_attribute = settings.ldap_id_attribute;
  options.name_attribute = settings.ldap_name_attribute;
  options.groups_attribute = settings.ldap_groups_attribute;
  // Its address may change, as when the host gets another name; people stay the same.
  directory = std::make_unique<LdapDirectory>(
      std::move(options), std::string(core::kDirectoryIssuer) + settings.ldap_base);
  core::PersonAccountsOptions rules;
  rules.source = core::PeopleSource::directory;
  rules.rules.allowed_groups = settings.ldap_allowed_groups;
  rules.rules.admin_groups = settings.ldap_admin_groups;
  rules.creates = settings.ldap_create_accounts;
  core::PersonAccounts people(app.catalog(), accounts, std::move(rules));
  directory_sign_in =
      std::make_unique<core::DirectorySignIn>(app.catalog(), std::move(people), *directory);
  sign_in.ask(*directory_sign_in);
  api.directory_sign_in = directory_sign_in.get();
}

void ServerServices::offer_proxy(const Settings& settings, AppContext& app) {
  core::PersonAccountsOptions rules;
  rules.source = core::PeopleSource::proxy;
  rules.rules.allowed_groups = settings.proxy_allowed_groups;
  rules.rules.admin_groups = settings.proxy_admin_groups;
  rules.creates = settings.proxy_create_accounts;
  core::PersonAccounts people(app.catalog(), accounts, std::move(rules));
  proxy_sign_in = std::make_unique<core::ProxySignIn>(app.catalog(), std::move(people), sign_in);
  api.proxy_sign_in = proxy_sign_in.get();
  api.proxy_user_header = settings.proxy_user_header;
  api.proxy_groups_header = settings.proxy_groups_header;
}

}  // namespace coffer::app
