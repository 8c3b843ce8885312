#include "mounts/rclone_processes.h"

#include <utility>

#include "backends/rclone/confinement/confined_engine.h"
#include "base/disk.h"
#include "storage/remote.h"

namespace coffer::mounts {
namespace {

namespace fs = std::filesystem;

rclone::RcloneOptions options_in(const fs::path& folder) {
  rclone::RcloneOptions options{.folder = folder};
  // What the system trusts is known to it otherwise.
  if (const auto trusted = storage::trusted_certificates()) {
    options.environment.push_back("SSL_CERT_FILE=" + *trusted);
  }
  return options;
}

}  // namespace

// These three with the mutex held.

Result<void> RcloneProcesses::prepare() {
  if (upload_server_) return {};
  for (const fs::path& folder : {folder_, folder_ / "spool"}) {
    if (auto made = make_folder(folder); !made) return made;
  }
  upload_server_ = std::make_unique<rclone::UploadServer>();
  return {};
}

rclone::RcloneProcess& RcloneProcesses::unlimited() {
  if (!engine_) engine_ = std::make_unique<rclone::RcloneProcess>(options_in(folder_ / "engine"));
  return *engine_;
}

rclone::RcloneProcess& RcloneProcesses::limited(const storage::MayConnect& may_connect) {
  if (!limited_) {
    proxy_ = std::make_unique<rclone::Proxy>(may_connect);
    limited_ = std::make_unique<rclone::RcloneProcess>(
        rclone::confined_engine(options_in(folder_ / "limited"), *proxy_, upload_server_->port()));
  }
  return *limited_;
}

Result<RcloneProcesses::Parts> RcloneProcesses::get(const storage::MayConnect& may_connect) {
  const std::lock_guard lock(mutex_);
  if (auto prepared = prepare(); !prepared) return failure_of(std::move(prepared));
  return Parts{may_connect ? limited(may_connect) : unlimited(), *upload_server_,
               folder_ / "spool"};
}

void RcloneProcesses::end() {
  const std::lock_guard lock(mutex_);
  for (const auto& engine : {engine_.get(), limited_.get()}) {
    if (engine != nullptr) engine->end();
  }
}

}  // namespace coffer::mounts
