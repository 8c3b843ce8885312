#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "core/server_setting.h"

namespace coffer::core {

/// What a disk has, as it was at most some seconds ago.
struct DiskRoom {
  std::string path;                              ///< The data folder, or a root of shared folders.
  bool is_data = false;                          ///< True for the data folder.
  std::optional<std::uint64_t> free_bytes = {};  ///< Nullopt if the disk does not answer.
  std::optional<std::uint64_t> total_bytes = {};
};

/// The certificate with which the server speaks TLS.
struct CertificateState {
  Timestamp expires_at{};
  std::string problem;  ///< Why the files, as they are now, are not in force; empty if they are.
};

/// What administrators see of the server itself. Safe from any thread.
class ServerState {
 public:
  virtual ~ServerState() = default;

  /// Returns the settings in force.
  virtual std::vector<ServerSetting> settings() const = 0;
  /// Returns the path of the settings file, which may not exist.
  virtual std::string settings_file() const = 0;
  /// Returns why the settings file, as it is now, is not in force; empty if it is.
  virtual std::string settings_problem() const = 0;
  /// Returns the data folder's absolute path.
  virtual std::string data_folder() const = 0;
  /// Returns the path of the running program.
  virtual std::string program() const = 0;
  /// Returns the state of the certificate; nullopt if the server itself speaks no TLS.
  virtual std::optional<CertificateState> certificate() const = 0;
  /// Looks at the disks of the data folder and of all roots of shared folders. Does not wait long
  /// for a disk that does not answer.
  virtual Task<std::vector<DiskRoom>> disks() = 0;
};

}  // namespace coffer::core
