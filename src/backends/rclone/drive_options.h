#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "backends/rclone/providers/providers.h"
#include "storage/remote.h"

namespace coffer::rclone {

/// A drive, and the settings for its use.
struct DriveOptions {
  RemoteConfig config;
  std::string root = {};             ///< The root folder's path; for S3, it begins with the bucket.
  std::filesystem::path spool = {};  ///< An existing local folder for uploads of unknown size.
  storage::Deadlines deadlines = {};
  /// Called with the new OAuth token (JSON) after rclone has renewed the token. The function must
  /// store the new one, or a restart may lose the login. Called from any thread. May be empty.
  std::function<void(const std::string& token)> on_token = {};
  /// Returns the stored OAuth token; empty if there is none. Called when the drive refuses the
  /// login: if another process has renewed the token, or a person has logged in again, the stored
  /// token may work. Called from any thread. May be empty.
  std::function<std::string()> stored_token = {};
};

}  // namespace coffer::rclone
