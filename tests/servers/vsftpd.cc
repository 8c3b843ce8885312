#include "servers/vsftpd.h"

#include <fstream>

#include "servers/system_account.h"

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFixedSettings = R"(listen=YES
listen_ipv6=NO
listen_address=127.0.0.1
background=NO
anonymous_enable=YES
no_anon_password=YES
local_enable=NO
write_enable=YES
anon_upload_enable=YES
anon_mkdir_write_enable=YES
anon_other_write_enable=YES
anon_world_readable_only=NO
anon_umask=022
utf8_filesystem=YES
xferlog_enable=NO
max_login_fails=1
seccomp_sandbox=NO
isolate=NO
isolate_network=NO
)";

/// The folder that anonymous users begin in must not be theirs; the one in it is.
void make_root(const fs::path& top) {
  fs::create_directories(top / "root/files");
  fs::create_directory(top / "empty");
  give_to_ftp(top / "root/files");
  fs::permissions(top, fs::perms::others_exec, fs::perm_options::add);
}

}  // namespace

Vsftpd::Vsftpd(FtpTls tls) {
  need_root();
  make_root(scratch_.path());
  if (tls != FtpTls::none) certificate_ = std::make_unique<Certificate>(scratch_.path());
  process_ = std::make_unique<ServerProcess>(
      [&](std::uint16_t port) {
        return std::vector<std::string>{"/usr/sbin/vsftpd", write_settings(port, tls).string()};
      },
      scratch_.path() / "vsftpd.log");
}

fs::path Vsftpd::write_settings(std::uint16_t port, FtpTls tls) const {
  const fs::path top = scratch_.path();
  const fs::path file = top / "vsftpd.conf";
  std::ofstream settings(file);
  settings << kFixedSettings << "listen_port=" << port << "\nanon_root=" << (top / "root").string()
           << "\nsecure_chroot_dir=" << (top / "empty").string() << '\n';
  if (tls != FtpTls::none) {
    settings << "ssl_enable=YES\nallow_anon_ssl=YES\nforce_anon_logins_ssl=YES\n"
             << "force_anon_data_ssl=YES\nrsa_cert_file=" << certificate_->certificate.string()
             << "\nrsa_private_key_file=" << certificate_->key.string() << '\n';
  }
  if (tls == FtpTls::implicit_tls) settings << "implicit_ssl=YES\n";
  // Of what it takes without this setting, OpenSSL knows nothing any more but for TLS 1.3.
  settings << (tls == FtpTls::newest ? "require_ssl_reuse=NO\n" : "ssl_ciphers=HIGH\n");
  return file;
}

}  // namespace coffer::servers
