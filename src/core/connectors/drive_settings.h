#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "catalog/connectors.h"

namespace coffer::core {

/// By the names that rclone gives them. Any value may be a secret.
using DriveParameters = std::map<std::string, std::string>;

/// The value of the name; empty where there is none.
std::string value_in(const DriveParameters& parameters, const std::string& name);

/// What a connector to a cloud drive says.
struct DriveSettings {
  std::string type;  ///< The provider: `webdav`, `s3`, `drive`.
  std::string root;  ///< A folder on the drive; empty for its top. In S3 it begins with a bucket.
  bool may_be_private = false;  ///< An administrator gave its address: it may be a private one.
  DriveParameters parameters = {};
  /// Random; another after each change of the settings, but for a token that was renewed.
  std::string revision = {};
  /// Random; another after each change of what the token belongs to, and of the token itself by
  /// its owner.
  std::string login = {};
};

/// The settings as the catalog keeps them: JSON without the parameters.
std::string to_text(const DriveSettings& settings);
/// The parameters as they are sealed: JSON.
std::string to_text(const DriveParameters& parameters);
/// The settings of a drive, whose sealed secret was opened as `secret`. `failed` for what `to_text`
/// did not write.
Result<DriveSettings> drive_settings_of(const catalog::Connector& connector,
                                        std::string_view secret);

/// For people: `webdav:folder`.
std::string target_of(const DriveSettings& settings);

}  // namespace coffer::core
