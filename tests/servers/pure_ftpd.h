#pragma once

#include <memory>
#include <string>

#include "base/testing/scratch_folder.h"
#include "servers/certificate.h"
#include "servers/ftp_account.h"
#include "servers/server_process.h"

namespace coffer::servers {

/// pure-ftpd with one account of its own (`tester`, `secret`), who begins in an empty folder as the
/// root. It knows MLSD, MFMT, and TLS after AUTH. Needs root, Debian's account `ftp`, and the
/// program where script/setup unpacks it.
class PureFtpd {
 public:
  explicit PureFtpd(bool tls);

  std::uint16_t port() const { return process_->port(); }
  /// The folder that clients see as the root.
  std::filesystem::path files() const { return scratch_.path() / "files"; }
  /// What vouches for the server. Only with TLS.
  std::filesystem::path ca_file() const { return certificate_->certificate; }
  /// Makes an empty folder below `files` that clients may write into; its name.
  std::string make_folder() const { return make_folder_for_ftp(files()); }

 private:
  std::vector<std::string> command(std::uint16_t port) const;

  ScratchFolder scratch_;
  std::unique_ptr<Certificate> certificate_;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace coffer::servers
