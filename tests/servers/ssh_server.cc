#include "servers/ssh_server.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/random.h"
#include "servers/loopback.h"
#include "servers/server_process.h"

extern char** environ;

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

constexpr auto kServer = "/usr/sbin/sshd";

/// Starts a program as the leader of a process group of its own, its output in a file.
pid_t start_program(std::vector<std::string> words, const fs::path& output) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, 1, output.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     0600);
  ::posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int error =
      ::posix_spawn(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error(words[0] + " cannot be started");
  return process;
}

}  // namespace

SshServer::SshServer(Settings settings)
    : settings_(std::move(settings)),
      top_(fs::temp_directory_path() / ("coffer-sshd-" + random_hex(8))) {
  if (::geteuid() != 0 || !fs::exists(kServer)) {
    throw std::runtime_error("The tests of SFTP need root and sshd (package openssh-server).");
  }
  // sshd insists on this folder for its unprivileged half.
  fs::create_directories("/run/sshd");
  fs::create_directories(tree());
  make_key("host_key", "ed25519", "");
  make_key("key", "ed25519", "");
  make_key("locked_key", "ed25519", kPassphrase);
  make_key("rsa_key", "rsa", "");
  make_key("strange_key", "ed25519", "");
  make_key("second_host_key", "ecdsa", "");
  port_ = free_port();
  write_keys();
  write_settings();
  if (settings_.takes_password) write_password();
  start();
}

SshServer::~SshServer() {
  stop();
  fs::remove_all(top_);
}

bool SshServer::can_take_password() {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, root, mount_point;
    fields >> id >> parent >> device >> root >> mount_point;
    if (mount_point == "/") return true;
  }
  return false;
}

std::string SshServer::user() {
  return ::getpwuid(::geteuid())->pw_name;
}

void SshServer::make_key(const std::string& name, const std::string& type,
                         const std::string& passphrase) {
  // Few rounds of the passphrase's derivation: it is not what is tested.
  run_program({"/usr/bin/ssh-keygen", "-q", "-t", type, "-N", passphrase, "-a", "1", "-f",
               (top_ / name).string()},
              top_ / "keygen_log");
}

void SshServer::write_keys() const {
  std::ofstream known(top_ / "authorized_keys");
  for (const auto* key : {"key.pub", "locked_key.pub", "rsa_key.pub"}) known << text_of(key);
}

void SshServer::write_settings() const {
  std::ofstream file(top_ / "sshd_config");
  for (const auto& line : settings_.lines) file << line << '\n';
  file << "Port " << port_ << "\nListenAddress 127.0.0.1\nHostKey " << (top_ / "host_key").string()
       << "\nHostKey " << (top_ / "second_host_key").string() << "\nAuthorizedKeysFile "
       << (top_ / "authorized_keys").string()
       << "\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
          "PermitRootLogin yes\nPidFile none\nMaxStartups 100\nSubsystem sftp internal-sftp "
       << settings_.sftp_options << '\n';
}

void SshServer::write_password() const {
  // What crypt(3) makes of kPassword.
  constexpr auto kHash =
      "$6$coffertest$vflOqyJEeFp7lw/Utu9bPmGD3Ouj9wR2raAqoTD6UWC7DAzeG1JQVDAn0K2UcmMbdsxtliUZJAVaXn"
      "fBJhxmO.";
  std::ofstream(top_ / "shadow") << user() << ':' << kHash << ":19000:0:99999:7:::\n";
  std::ofstream(top_ / "pam") << "auth required pam_unix.so nodelay\naccount required pam_unix.so\n"
                                 "session required pam_permit.so\n";
}

void SshServer::start() {
  std::vector<std::string> words = {kServer, "-D", "-e", "-f", (top_ / "sshd_config").string()};
  if (settings_.takes_password) {
    const std::string script =
        "mount --bind \"$0/shadow\" /etc/shadow && "
        "mount --bind \"$0/pam\" /etc/pam.d/sshd && exec \"$@\"";
    words.insert(words.begin(), {"/usr/bin/unshare", "-m", "/bin/sh", "-c", script, top_.string()});
  }
  process_ = start_program(words, top_ / "log");
  if (!wait_for_port(port_)) {
    const auto said = log();
    stop();
    throw std::runtime_error("sshd did not start: " + said);
  }
}

void SshServer::stop() {
  if (process_ < 0) return;
  // Sessions are children of the listener, in its process group or in a session of their own.
  const auto listed = children_of(process_);
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
  for (const pid_t child : listed) ::kill(child, SIGTERM);
  process_ = -1;
}

std::string SshServer::fingerprint_of(const std::string& name) const {
  const auto output = name + "_fingerprint";
  if (!fs::exists(top_ / output)) {
    run_program({"/usr/bin/ssh-keygen", "-lf", (top_ / name).string()}, top_ / output);
  }
  std::string fingerprint;
  std::istringstream(text_of(output)) >> fingerprint >> fingerprint;
  return fingerprint;
}

std::string SshServer::text_of(const std::string& name) const {
  std::ifstream file(top_ / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace coffer::servers
