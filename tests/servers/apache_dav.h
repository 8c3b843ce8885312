#pragma once

#include <memory>
#include <string>

#include "base/testing/scratch_folder.h"
#include "servers/server_process.h"

namespace coffer::servers {

/// Apache's WebDAV with one account (`tester`, `secret`; Basic). It cannot set times. As root it
/// needs Debian's account `www-data`, for whom it works then.
class ApacheDav {
 public:
  ApacheDav();

  std::uint16_t port() const { return process_->port(); }
  /// Of the root, with a slash at the end.
  std::string url() const;
  /// The folder that clients see as the root.
  std::filesystem::path files() const { return scratch_.path() / "files"; }
  /// Makes an empty folder below `files` that clients may write into; its name.
  std::string make_folder() const;

 private:
  ScratchFolder scratch_;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace coffer::servers
