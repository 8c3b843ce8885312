#pragma once

#include <chrono>
#include <memory>
#include <ostream>
#include <string>

#include "async/pool.h"
#include "backends/rclone/drive_backend.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/upload_server.h"
#include "base/testing/scratch_folder.h"

namespace coffer::conformance {

/// The limits of tests, so that what fails does so at once.
inline constexpr rclone::Patience kImpatient{
    .tries = 1, .connect = std::chrono::seconds(5), .idle = std::chrono::seconds(5)};

/// An rclone, and all that drives need beside it.
struct Rclone {
  explicit Rclone(rclone::Patience patience = kImpatient)
      : engine(std::make_shared<rclone::RcloneProcess>(
            rclone::RcloneOptions{.folder = scratch.path() / "engine", .patience = patience})) {}

  ScratchFolder scratch;
  std::shared_ptr<rclone::RcloneProcess> engine;
  rclone::UploadServer upload_server;
  Pool pool{4};

  std::unique_ptr<rclone::DriveBackend> open(rclone::DriveOptions options) {
    options.spool = scratch.path();
    return rclone::DriveBackend::open(std::move(options), engine, upload_server, pool).value();
  }
};

/// A real server, and how it is configured. `root` is a folder of its own.
struct DriveServer {
  std::string name;  ///< Letters and digits.
  rclone::DriveOptions (*options)();
};
inline std::ostream& operator<<(std::ostream& out, const DriveServer& server) {
  return out << server.name;
}
rclone::DriveOptions on_apache();
rclone::DriveOptions on_rclone_dav();
rclone::DriveOptions on_s3();
/// As they are, with that port in place of the server's.
rclone::DriveOptions through(rclone::DriveOptions options, std::uint16_t port);
std::uint16_t port_of(const rclone::DriveOptions& options);

}  // namespace coffer::conformance
