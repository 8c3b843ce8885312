#include "app/app_context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "app/data_owner.h"
#include "app/instance_lock.h"
#include "app/secret_key.h"
#include "async/run.h"
#include "base/disk.h"
#include "base/size_format.h"
#include "core/connectors/connector_service.h"
#include "mounts/connector_types.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;

Result<void> check_usable(const fs::path& folder) {
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) == 0) return {};
  return fail(ErrorCode::failed, fmt::format("The folder {} cannot be written to: {}.",
                                             folder.string(), std::strerror(errno)));
}

Result<void> make_usable(const fs::path& folder) {
  auto made = make_folder(folder);
  return made ? check_usable(folder) : made;
}

Result<void> prepare_data(const fs::path& data) {
  for (const auto& folder : {data, data / "staging"}) {
    auto made = make_usable(folder);
    if (!made) return made;
  }
  return {};
}

/// Made where nothing was stored yet; else it is on a volume that is not mounted, maybe.
Result<void> prepare_files(const fs::path& files, catalog::Catalog& catalog) {
  std::error_code error;
  if (fs::status(files, error).type() != fs::file_type::not_found) return make_usable(files);
  const auto accounts = run(catalog.accounts().list());
  if (!accounts) return failure_of(accounts);
  std::uint64_t stored_bytes = 0;
  for (const catalog::Account& account : *accounts) {
    const auto usage = run(catalog.ledger().usage(account.id));
    if (!usage) return failure_of(usage);
    stored_bytes += usage->used_bytes;
  }
  if (stored_bytes == 0) return make_usable(files);
  return fail(ErrorCode::failed,
              fmt::format("The folder {} is missing although accounts have {} in it: mount or "
                          "restore it, or make it by hand if the files are gone for good.",
                          files.string(), format_size(stored_bytes)));
}

std::unexpected<Error> no_data(const Settings& settings) {
  return fail(ErrorCode::not_found,
              fmt::format("There is no data of Coffer in {}: `coffer account add` and `coffer "
                          "serve` make a data folder.",
                          settings.data.string()));
}

/// The key, which is made where nothing was sealed yet; `not_found` where it is missing although
/// something was.
Result<core::Sealer::Key> secret_key_for(catalog::Catalog& catalog, const fs::path& file) {
  auto key = read_secret_key(file);
  if (key || key.error().code != ErrorCode::not_found) return key;
  const auto connectors = run(catalog.connectors().list_all());
  if (!connectors) return failure_of(connectors);
  const auto sealed = std::ranges::count_if(
      *connectors, [](const catalog::Connector& one) { return !one.sealed_secret.empty(); });
  if (sealed == 0) return make_secret_key(file);
  return fail(ErrorCode::not_found,
              fmt::format("The key file {} is missing, and with it the secrets of connectors ({}) "
                          "cannot be read: put the file back from a backup, or remove these "
                          "connectors with `coffer connector remove`.",
                          file.string(), sealed));
}

}  // namespace

AppContext::AppContext(const Settings& settings, std::unique_ptr<core::WorkPools> pools,
                       std::unique_ptr<local::LocalStore> store,
                       const Result<core::Sealer::Key>& key,
                       std::unique_ptr<catalog::Catalog> catalog)
    : pools_(std::move(pools)),
      store_(std::move(store)),
      has_secret_key_(key ? Result<void>() : failure_of(key)),
      sealer_(key ? std::optional(*key) : std::nullopt),
      homes_(settings.data, settings.durability == Durability::durable, *store_, *pools_),
      catalog_(std::move(catalog)),
      drive_providers_(
          [this](bool may_be_private, std::string_view method, boost::json::object parameters) {
            return remote_access_.call_engine(may_be_private, method, std::move(parameters));
          },
          settings.private_connectors),
      connector_types_(mounts::connector_types(
          {remote_access_, drive_providers_, *pools_, sealer_,
           [this](const catalog::Connector& connector, const std::string& token) {
             tokens_.keep(connector, token);
           }})),
      tokens_([this](const catalog::Connector& connector, const std::string& token) {
        return keep_token(connector, token);
      }),
      remote_access_(settings.private_connectors, settings.data / "drives"),
      mount_backends_(settings.data, settings.durability == Durability::durable, connector_types_,
                      sealer_, *store_, *pools_),
      mounts_(catalog_->mounts(), mount_backends_) {}

Result<void> AppContext::keep_token(const catalog::Connector& connector, const std::string& token) {
  core::ConnectorService service(*catalog_, mount_backends_, connector_types_, sealer_, true);
  return run(service.keep_token(connector, token));
}

Result<void> AppContext::find_data(const Settings& settings) {
  auto owned = become_owner_of(settings.data);
  if (!owned) return owned;
  std::error_code error;
  const auto type = fs::status(settings.data, error).type();
  if (type == fs::file_type::not_found) return no_data(settings);
  if (type == fs::file_type::none) {
    return fail(ErrorCode::failed, fmt::format("The data folder {} cannot be looked at: {}.",
                                               settings.data.string(), error.message()));
  }
  if (type != fs::file_type::directory) {
    return fail(ErrorCode::failed, fmt::format("{} is not a folder.", settings.data.string()));
  }
  const auto found = catalog::Catalog::is_there(settings.database_url());
  if (!found) return failure_of(found);
  return *found ? Result<void>() : no_data(settings);
}

Result<std::unique_ptr<AppContext>> AppContext::with_catalog(
    const Settings& settings, std::size_t pool_threads,
    Result<std::unique_ptr<catalog::Catalog>> catalog, bool alone) {
  if (!catalog) return failure_of(std::move(catalog));
  if (auto files = prepare_files(settings.data / "files", **catalog); !files) {
    return failure_of(std::move(files));
  }
  const auto key = secret_key_for(**catalog, settings.data / "secret.key");
  if (!key && key.error().code != ErrorCode::not_found) return failure_of(key);
  auto pools = std::make_unique<core::WorkPools>(pool_threads);
  Pool& common = pools->common();
  local::StoreOptions local_options;
  if (alone) local_options.data = settings.data;
  auto store = local::LocalStore::open(std::move(local_options), common);
  if (!store) return failure_of(std::move(store));
  return std::unique_ptr<AppContext>(
      new AppContext(settings, std::move(pools), *std::move(store), key, *std::move(catalog)));
}

Result<std::unique_ptr<AppContext>> AppContext::open(const Settings& settings,
                                                     std::size_t pool_threads, IfMissing missing) {
  auto found = missing == IfMissing::make ? become_owner_of(settings.data) : find_data(settings);
  if (found) found = prepare_data(settings.data);
  if (!found) return failure_of(std::move(found));
  return with_catalog(settings, pool_threads, catalog::Catalog::open(settings.database_url()),
                      false);
}

Result<std::unique_ptr<AppContext>> AppContext::open_alone(const Settings& settings,
                                                           std::size_t pool_threads,
                                                           std::string_view command) {
  const std::string holder = lock_holder(command);
  auto prepared = prepare_data(settings.data);
  if (!prepared) return failure_of(std::move(prepared));
  auto lock = lock_data_folder(settings.data, holder);
  if (!lock) return failure_of(std::move(lock));
  auto app = with_catalog(settings, pool_threads,
                          catalog::Catalog::open_alone(settings.database_url(), holder), true);
  if (app) (*app)->lock_.emplace(*std::move(lock));
  return app;
}

}  // namespace coffer::app
