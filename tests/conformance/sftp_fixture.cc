#include "conformance/sftp_fixture.h"

#include <algorithm>
#include <fstream>

#include "storage/partial_name.h"

namespace coffer::conformance {

namespace fs = std::filesystem;

servers::SshServer& ssh_server() {
  static servers::SshServer server({.lines = {"LogLevel DEBUG1"}});
  return server;
}

servers::SshServer& bare_ssh_server() {
  static servers::SshServer server({.sftp_options = "-P posix-rename,hardlink,fsync,copy-data"});
  return server;
}

sftp::SftpOptions options_for(const servers::SshServer& server) {
  sftp::SftpOptions options;
  options.host = "127.0.0.1";
  options.port = server.port();
  options.user = servers::SshServer::user();
  options.credential.private_key = server.private_key();
  options.host_key = server.host_key();
  return options;
}

Scratch::Scratch(const servers::SshServer& server) : path_(server.tree() / random_hex(8)) {
  fs::create_directories(path_);
}

sftp::SftpOptions SftpTest::options_over_line() const {
  auto options = options_for(ssh_server());
  options.port = line_.port();
  options.root = root_;
  return options;
}

storage::Backend& SftpTest::backend() {
  if (!backend_) backend_ = sftp::SftpBackend::open(options_, pool_).value();
  return *backend_;
}

void SftpTest::put(const fs::path& path, std::string_view content) const {
  std::ofstream(root_ / path, std::ios::binary) << content;
}

std::string SftpTest::content_of(const fs::path& path) const {
  std::ifstream file(root_ / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> SftpTest::names_on_disk() const {
  std::vector<std::string> names;
  for (const auto& item : fs::directory_iterator(root_)) {
    const std::string name = item.path().filename();
    if (!storage::is_partial_name(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace coffer::conformance
