#include "app/drive_engines.h"

#include <cstdlib>
#include <system_error>
#include <utility>

#include "backends/rclone/public_only.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;

Result<void> make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (!error) return {};
  return fail(ErrorCode::failed, "The folder for cloud drives cannot be made.");
}

rclone::EngineOptions options_in(const fs::path& folder) {
  rclone::EngineOptions options{.folder = folder};
  // What the system trusts is known to it otherwise.
  if (const char* trusted = std::getenv("SSL_CERT_FILE")) {
    options.environment.push_back(std::string("SSL_CERT_FILE=") + trusted);
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
