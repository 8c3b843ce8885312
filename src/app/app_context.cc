#include "app/app_context.h"

#include <utility>

#include "app/environment.h"
#include "app/instance_lock.h"
#include "app/secret_key.h"
#include "async/run.h"
#include "core/connectors/drive_service.h"

namespace coffer::app {
namespace {

Result<void> prepare_data(const std::filesystem::path& data) {
  for (const auto& folder : {data, data / "files", data / "staging"}) {
    auto made = make_folder(folder);
    if (!made) return made;
  }
  return {};
}

}  // namespace

AppContext::AppContext(const Settings& settings, std::size_t pool_threads,
                       const core::Sealer::Key& key, std::unique_ptr<catalog::Catalog> catalog)
    : pool_(pool_threads),
      sealer_(key),
      homes_(settings.data, settings.durability == Durability::durable, pool_),
      catalog_(std::move(catalog)),
      drive_providers_(
          [this](bool may_be_private, std::string_view method, boost::json::object parameters) {
            return mount_backends_.call_engine(may_be_private, method, std::move(parameters));
          },
          settings.private_connectors),
      tokens_([this](const catalog::Connector& connector, const std::string& token) {
        return keep_token(connector, token);
      }),
      mount_backends_(settings, sealer_, pool_),
      mounts_(catalog_->mounts(), mount_backends_) {
  mount_backends_.on_token([this](const catalog::Connector& connector, const std::string& token) {
    tokens_.keep(connector, token);
  });
}

Result<void> AppContext::keep_token(const catalog::Connector& connector, const std::string& token) {
  core::DriveService service(*catalog_, drive_providers_, sealer_, true);
  return run(service.keep_token(connector, token));
}

Result<std::unique_ptr<AppContext>> AppContext::open(const Settings& settings,
                                                     std::size_t pool_threads) {
  auto prepared = prepare_data(settings.data);
  if (!prepared) return failure_of(std::move(prepared));
  const auto key = secret_key(settings.data / "secret.key");
  if (!key) return failure_of(key);
  auto catalog = catalog::Catalog::open(settings.database_url());
  if (!catalog) return failure_of(std::move(catalog));
  return std::unique_ptr<AppContext>(
      new AppContext(settings, pool_threads, *key, *std::move(catalog)));
}

Result<std::unique_ptr<AppContext>> AppContext::open_alone(const Settings& settings,
                                                           std::size_t pool_threads,
                                                           std::string_view command) {
  const std::string holder = lock_holder(command);
  auto prepared = prepare_data(settings.data);
  if (!prepared) return failure_of(std::move(prepared));
  auto lock = lock_data_folder(settings.data, holder);
  if (!lock) return failure_of(std::move(lock));
  const auto key = secret_key(settings.data / "secret.key");
  if (!key) return failure_of(key);
  auto catalog = catalog::Catalog::open_alone(settings.database_url(), holder);
  if (!catalog) return failure_of(std::move(catalog));
  std::unique_ptr<AppContext> app(
      new AppContext(settings, pool_threads, *key, *std::move(catalog)));
  app->lock_.emplace(*std::move(lock));
  return app;
}

}  // namespace coffer::app
