#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <vector>

#include "base/error.h"

/// Describes the allowed providers and their options, for a form in which users configure a drive.
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
  /// The option exists only if another option, `provider`, has one of these values, separated by
  /// commas. With a leading `!`, the option exists only if `provider` has none of these values. If
  /// this text is empty, the option always exists. rclone may describe one option several times,
  /// for different values of `provider`; all these descriptions are listed.
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

/// Returns the allowed providers in `answer`, rclone's reply to `config/providers`, sorted by type.
/// Leaves out providers that the reply lacks. `failed` if the reply is malformed.
Result<std::vector<ProviderDescription>> describe_providers(const boost::json::value& answer);

}  // namespace coffer::rclone
