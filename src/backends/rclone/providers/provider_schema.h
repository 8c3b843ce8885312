#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <vector>

#include "base/error.h"

/// rclone's descriptions of the allowed providers and options, for a form.
namespace coffer::rclone {

/// A value that rclone suggests for an option.
struct OptionExample {
  std::string value;
  std::string help;
  std::string only_for;  ///< See OptionDescription::only_for.

  bool operator==(const OptionExample&) const = default;
};

struct OptionDescription {
  std::string name;
  std::string help;
  std::string default_value;  ///< Empty for none.
  /// The values of the option `provider` for which this option exists, separated by commas. After a
  /// leading `!`, the values for which it does not exist. Empty if the option exists for all
  /// values. rclone may describe one option several times, for different values; each description
  /// is listed.
  std::string only_for;
  bool is_secret = false;
  bool is_address = false;
  bool is_required = false;
  bool is_advanced = false;
  std::vector<OptionExample> examples;

  bool operator==(const OptionDescription&) const = default;
};

struct ProviderDescription {
  std::string type;
  std::string name;  ///< The name for people: `Google Drive`.
  bool uses_oauth = false;
  std::vector<OptionDescription> options;

  bool operator==(const ProviderDescription&) const = default;
};

/// Returns the allowed part of rclone's reply to `config/providers`, sorted by type. Providers that
/// the installed rclone does not have are left out. `failed` if the reply is malformed.
Result<std::vector<ProviderDescription>> describe_providers(const boost::json::value& answer);

}  // namespace coffer::rclone
