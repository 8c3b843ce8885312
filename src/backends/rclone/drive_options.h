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
  std::string root = {};  ///< The backend's root folder; for S3, it begins with the bucket.
  std::filesystem::path spool = {};  ///< An existing local folder, for content of unknown size.
  storage::Deadlines deadlines = {};
  /// Called with the new OAuth token (JSON) after rclone has renewed the token. The function should
  /// store the token, so that the login survives a restart. Called from any thread.
  std::function<void(const std::string& token)> on_token = {};
  /// Returns the stored OAuth token; empty if there is none. Called when the drive refuses the
  /// login: another process may have renewed the token and stored the new one. Many providers allow
  /// only one renewal of each token. Called from any thread.
  std::function<std::string()> stored_token = {};
};

}  // namespace coffer::rclone
