#pragma once

#include <memory>
#include <string>

#include "base/testing/scratch_folder.h"
#include "servers/certificate.h"
#include "servers/ftp_account.h"
#include "servers/server_process.h"

namespace coffer::servers {

enum class FtpTls {
  none,
  explicit_tls,
  implicit_tls,
  newest,  ///< After AUTH, TLS 1.3 alone, and any session on the data connection.
};

/// vsftpd for anonymous users who may write below `/files`. It knows LIST alone, and over TLS wants
/// the session of the commands on the data connection too. Needs root, and Debian's account `ftp`.
class Vsftpd {
 public:
  explicit Vsftpd(FtpTls tls = FtpTls::none);

  std::uint16_t port() const { return process_->port(); }
  /// The folder that clients see as `/files`.
  std::filesystem::path files() const { return scratch_.path() / "root/files"; }
  /// What vouches for the server. Only with TLS.
  std::filesystem::path ca_file() const { return certificate_->certificate; }
  /// Makes an empty folder below `files` that clients may write into; its name.
  std::string make_folder() const { return make_folder_for_ftp(files()); }

 private:
  std::filesystem::path write_settings(std::uint16_t port, FtpTls tls) const;

  ScratchFolder scratch_;
  std::unique_ptr<Certificate> certificate_;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace coffer::servers
