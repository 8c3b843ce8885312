#include "app/drive_engines.h"

#include <utility>

#include "app/surroundings.h"
#include "backends/rclone/public_only.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;

rclone::EngineOptions options_in(const fs::path& folder) {
  rclone::EngineOptions options{.folder = folder};
  // What the system trusts is known to it otherwise.
  if (const auto trusted = trusted_certificates()) {
    options.environment.push_back("SSL_CERT_FILE=" + *trusted);
  }
  return options;
}

}  // namespace

// These three with the mutex held.

Result<void> DriveEngines::prepare() {
  if (door_) return {};
  for (const fs::path& folder : {folder_, folder_ / "spool"}) {
    if (auto made = make_folder(folder); !made) return made;
  }
  door_ = std::make_unique<rclone::Door>();
  return {};
}

rclone::Engine& DriveEngines::unlimited() {
  if (!engine_) engine_ = std::make_unique<rclone::Engine>(options_in(folder_ / "engine"));
  return *engine_;
}

rclone::Engine& DriveEngines::limited(const storage::MayConnect& may_connect) {
  if (!limited_) {
    proxy_ = std::make_unique<rclone::Proxy>(may_connect);
    limited_ = std::make_unique<rclone::Engine>(
        rclone::public_only(options_in(folder_ / "limited"), *proxy_, door_->port()));
  }
  return *limited_;
}

Result<DriveEngines::Parts> DriveEngines::get(const storage::MayConnect& may_connect) {
  const std::lock_guard lock(mutex_);
  if (auto prepared = prepare(); !prepared) return failure_of(std::move(prepared));
  return Parts{may_connect ? limited(may_connect) : unlimited(), *door_, folder_ / "spool"};
}

void DriveEngines::end() {
  const std::lock_guard lock(mutex_);
  for (const auto& engine : {engine_.get(), limited_.get()}) {
    if (engine != nullptr) engine->end();
  }
}

}  // namespace coffer::app
