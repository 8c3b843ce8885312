#include "app/drive_engines.h"

#include <cstdlib>
#include <system_error>

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
  rclone::EngineOptions options{.folder = folder / "engine"};
  // What the system trusts is known to it otherwise.
  if (const char* trusted = std::getenv("SSL_CERT_FILE")) {
    options.environment.push_back(std::string("SSL_CERT_FILE=") + trusted);
  }
  return options;
}

}  // namespace

Result<DriveEngines::Parts> DriveEngines::get() {
  const std::lock_guard lock(mutex_);
  const fs::path spool = folder_ / "spool";
  if (!engine_) {
    for (const fs::path& folder : {folder_, spool}) {
      if (auto made = make_folder(folder); !made) return failure_of(std::move(made));
    }
    door_ = std::make_unique<rclone::Door>();
    engine_ = std::make_unique<rclone::Engine>(options_in(folder_));
  }
  return Parts{*engine_, *door_, spool};
}

void DriveEngines::end() {
  const std::lock_guard lock(mutex_);
  if (engine_) engine_->end();
}

}  // namespace coffer::app
