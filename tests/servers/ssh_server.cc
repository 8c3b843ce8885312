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

SshServer::SshServer(Settings settings) : settings_(std::move(settings)) {
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
  if (settings_.takes_password) {
    pam_.emplace(top_, OwnPam::Login{.service = "sshd", .user = user(), .password = kPassword});
  }
  start();
}

SshServer::~SshServer() {
  stop();
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
       << (top_ / "authorized_keys").string() << "\nUsePAM "
       << (settings_.takes_password ? "yes" : "no")
       << "\nStrictModes no\nPasswordAuthentication no\n"
          "PermitRootLogin yes\nPidFile none\nMaxStartups 100\nSubsystem sftp internal-sftp "
       << settings_.sftp_options << '\n';
}

void SshServer::start() {
  auto words = pam_ ? pam_->words() : std::vector<std::string>();
  words.insert(words.end(), {kServer, "-D", "-e", "-f", (top_ / "sshd_config").string()});
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
  end_processes(listed);
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
