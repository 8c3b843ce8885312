#pragma once

#include <filesystem>
#include <memory>

#include "async/pool.h"
#include "backends/sftp/sftp_backend.h"
#include "base/random.h"
#include "conformance/conformance.h"
#include "servers/faulty_line.h"
#include "servers/ssh_server.h"

namespace coffer::conformance {

/// One OpenSSH server for all tests of this process; each test has a folder of its own on it.
servers::SshServer& ssh_server();
/// One that has none of OpenSSH's extensions: what another maker's server can do.
servers::SshServer& bare_ssh_server();

/// How to log in on a server with a key that it knows.
sftp::SftpOptions options_for(const servers::SshServer& server);

/// A folder of the server's tree, removed with the object.
class Scratch {
 public:
  explicit Scratch(const servers::SshServer& server);
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  const std::filesystem::path path_;
};

/// A tree on the server, reached over a line that can fail. Deadlines are short.
class SftpTest : public testing::Test {
 protected:
  /// The same as `options_`, for the tree.
  storage::Backend& backend();
  /// Begins anew, without a connection.
  void reopen() { backend_.reset(); }

  /// Uploads and reads past the backend, as the server's disk has it.
  void put(const std::filesystem::path& path, std::string_view content) const;
  std::string content_of(const std::filesystem::path& path) const;
  /// What is in the tree's top folder on the disk and is complete.
  std::vector<std::string> names_on_disk() const;

  const Scratch scratch_{ssh_server()};  ///< First, so that it goes when nothing works in it.
  const std::filesystem::path& root_ = scratch_.path();
  servers::FaultyLine line_{ssh_server().port()};
  sftp::SftpOptions options_ = options_over_line();
  Pool pool_{4};

 private:
  sftp::SftpOptions options_over_line() const;

  std::unique_ptr<sftp::SftpBackend> backend_;
};

}  // namespace coffer::conformance
