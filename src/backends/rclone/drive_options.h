#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "backends/rclone/providers/providers.h"
#include "storage/remote.h"

namespace coffer::rclone {

/// Which drive, and how it is used.
struct DriveOptions {
  RemoteConfig config;
  std::string root = {};  ///< The folder that is the backend's root; in S3 it begins with a bucket.
  std::filesystem::path spool = {};  ///< An existing folder, for content of unknown size.
  storage::Deadlines deadlines = {};
  /// Called with the new OAuth token (JSON) when rclone got one, so that a restart keeps the login.
  /// From any thread.
  std::function<void(const std::string& token)> on_token = {};
  /// The OAuth token that is stored now; empty if there is none. Asked when the drive refuses the
  /// login: another process may have got a new one, and many are good once. From any thread.
  std::function<std::string()> stored_token = {};
};

}  // namespace coffer::rclone
