#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/testing/scratch_folder.h"
#include "servers/own_pam.h"

namespace coffer::servers {

/// An OpenSSH server on a free port of the loopback, with keys and settings of its own in a scratch
/// folder; ended and its folder removed with the object. It needs root, for which sshd is made, and
/// lets the calling user in by the keys below. Throws where it cannot run: a test that needs it
/// fails then.
class SshServer {
 public:
  struct Settings {
    std::vector<std::string> lines = {};  ///< Of sshd_config(5); they come before its own.
    /// Words after `internal-sftp`: sftp-server(8).
    std::string sftp_options = {};
    /// Lets the user in with kPassword, by PAM settings that only this server sees.
    bool takes_password = false;
  };
  explicit SshServer(Settings settings);
  ~SshServer();
  SshServer(const SshServer&) = delete;
  SshServer& operator=(const SshServer&) = delete;

  std::uint16_t port() const { return port_; }
  /// Who may log in.
  static std::string user();
  /// The fingerprint of its host key, as ssh-keygen(1) prints it.
  std::string host_key() const { return fingerprint_of("host_key"); }
  /// That of another key of it, of a kind that clients like less.
  std::string second_host_key() const { return fingerprint_of("second_host_key"); }
  /// The text of a private key that it knows.
  std::string private_key() const { return text_of("key"); }
  /// The same, of a key with the passphrase below, and of an RSA key.
  std::string locked_private_key() const { return text_of("locked_key"); }
  std::string rsa_private_key() const { return text_of("rsa_key"); }
  static constexpr const char* kPassphrase = "open, please";
  static constexpr const char* kPassword = "let me in";
  /// A private key that it does not know.
  std::string strange_private_key() const { return text_of("strange_key"); }

  /// An empty folder for a test's tree.
  std::filesystem::path tree() const { return top_ / "tree"; }
  /// Ends the server and all its connections; `start` begins again on the same port.
  void stop();
  void start();
  /// What it wrote to its log.
  std::string log() const { return text_of("log"); }

 private:
  void make_key(const std::string& name, const std::string& type, const std::string& passphrase);
  void write_keys() const;
  void write_settings() const;
  std::string fingerprint_of(const std::string& name) const;
  std::string text_of(const std::string& name) const;

  const Settings settings_;
  const ScratchFolder scratch_;
  const std::filesystem::path& top_ = scratch_.path();
  std::optional<OwnPam> pam_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace coffer::servers
