#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "app/mount_backends.h"
#include "backends/rclone/drive_backend.h"
#include "backends/rclone/public_only.h"
#include "backends/rclone/remote_control.h"
#include "core/guarded_backend.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

/// A provider's own dialogue may ask the provider.
constexpr auto kCallWithin = std::chrono::seconds(60);

Task<Result<json::object>> call_engine(DriveEngines& engines, std::string_view method,
                                       json::object parameters) {
  const auto parts = engines.get();
  if (!parts) co_return failure_of(parts);
  const auto run = co_await parts->engine.running();
  if (!run) co_return failure_of(run);
  co_return co_await rclone::call(**run, method, std::move(parameters), kCallWithin);
}

}  // namespace

MountBackends::Made MountBackends::make_drive(const core::DriveSettings& settings,
                                              const catalog::Connector& connector) {
  rclone::DriveOptions options{.config = {settings.type, settings.parameters}};
  const auto may_connect = policy_for(settings.may_be_private);
  const auto parts = may_connect ? drive_engines_.get_limited(may_connect) : drive_engines_.get();
  if (!parts) return failure_of(parts);
  if (may_connect) {
    auto allowed = rclone::check(options.config);
    if (allowed) allowed = rclone::check_hosts(options.config, may_connect);
    if (!allowed) return failure_of(std::move(allowed));
  }
  options.root = settings.root;
  options.spool = parts->spool;
  options.deadlines.ending = ending_.get_token();
  if (keep_token_) {
    options.on_token = [this, connector](const std::string& token) {
      keep_token_(connector, token);
    };
  }
  auto opened = rclone::DriveBackend::open(std::move(options), parts->engine, parts->door, pool_);
  if (!opened) return failure_of(std::move(opened));
  return std::make_shared<core::GuardedBackend>(*std::move(opened), connector.name);
}

EngineCall MountBackends::engine_call() {
  return [this](std::string_view method, json::object parameters) {
    return call_engine(drive_engines_, method, std::move(parameters));
  };
}

}  // namespace coffer::app
