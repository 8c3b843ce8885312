#pragma once

#include <memory>
#include <string>

#include "base/testing/scratch_folder.h"
#include "servers/certificate.h"
#include "servers/server_process.h"

namespace coffer::servers {

/// WebDAV by `rclone serve` with one account (`tester`, `secret`; Basic). It cannot set times, and
/// reads a folder again for each item of a listing: a thousand take half a minute.
class RcloneDav {
 public:
  /// With a certificate it speaks https alone.
  explicit RcloneDav(const Certificate* certificate = nullptr);

  std::uint16_t port() const { return process_->port(); }
  /// Of the root, with a slash at the end.
  std::string url() const;
  /// The folder that clients see as the root. What changes there shows at once.
  std::filesystem::path files() const { return scratch_.path() / "files"; }
  /// Makes an empty folder below `files`; its name.
  std::string make_folder() const;

 private:
  const bool has_tls_;
  ScratchFolder scratch_;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace coffer::servers
