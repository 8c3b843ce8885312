#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "backends/rclone/drive_backend.h"
#include "backends/rclone/remote_control.h"
#include "core/connectors/guarded_backend.h"
#include "mounts/drive_providers.h"
#include "mounts/mount_backends.h"

namespace coffer::mounts {
namespace {

/// A provider's own dialogue may ask the provider.
constexpr auto kCallWithin = std::chrono::seconds(60);

}  // namespace

MountBackends::Made MountBackends::make_drive(const core::DriveSettings& settings,
                                              const catalog::Connector& connector) {
  const auto may_connect = policy_for(settings.may_be_private);
  // Before anything is started for it.
  auto allowed = check_drive(settings, may_connect);
  if (!allowed) return failure_of(std::move(allowed));
  const auto parts = rclone_processes_.get(may_connect);
  if (!parts) return failure_of(parts);
  rclone::DriveOptions options{.config = config_of(settings)};
  options.root = settings.root;
  options.spool = parts->spool;
  options.deadlines.ending = ending_.get_token();
  if (keep_token_) {
    options.on_token = [this, connector](const std::string& token) {
      keep_token_(connector, token);
    };
  }
  options.stored_token = [this, connector] { return stored_token(connector); };
  Pool& pool = pools_.of(connector.account).brief;
  auto opened =
      rclone::DriveBackend::open(std::move(options), parts->engine, parts->upload_server, pool);
  if (!opened) return failure_of(std::move(opened));
  return std::make_shared<core::GuardedBackend>(*std::move(opened), connector.name);
}

void MountBackends::note_secret(const catalog::Connector& connector) {
  if (connector.kind != catalog::ConnectorKind::drive) return;
  const std::lock_guard lock(mutex_);
  sealed_secrets_[connector.id.value] = connector.sealed_secret;
}

std::string MountBackends::stored_token(const catalog::Connector& connector) {
  std::string sealed;
  {
    const std::lock_guard lock(mutex_);
    const auto noted = sealed_secrets_.find(connector.id.value);
    if (noted == sealed_secrets_.end()) return {};
    sealed = noted->second;
  }
  const auto text = sealer_.open(sealed);
  if (!text) return {};
  const auto settings = core::drive_settings_of(connector, *text);
  if (!settings) return {};
  const auto token = settings->parameters.find("token");
  return token == settings->parameters.end() ? std::string() : token->second;
}

Task<Result<boost::json::object>> MountBackends::call_engine(bool may_be_private,
                                                             std::string_view method,
                                                             boost::json::object parameters) {
  const auto parts = rclone_processes_.get(policy_for(may_be_private));
  if (!parts) co_return failure_of(parts);
  const auto run = co_await parts->engine.running();
  if (!run) co_return failure_of(run);
  co_return co_await rclone::call(**run, method, std::move(parameters), kCallWithin);
}

}  // namespace coffer::mounts
