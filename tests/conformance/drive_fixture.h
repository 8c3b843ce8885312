#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "async/pool.h"
#include "backends/rclone/drive_backend.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/upload_server.h"
#include "servers/scratch.h"

namespace coffer::conformance {

/// What the drives of a process share.
struct Rclone {
  servers::Scratch scratch;
  rclone::RcloneProcess engine{{.folder = scratch.path() / "engine"}};
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
