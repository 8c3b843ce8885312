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
  /// A list of values, separated by commas: this option exists only if the option `provider` has
  /// one of the values or, if the list begins with `!`, none of them. If the list is empty, this
  /// option always exists. rclone may describe one option several times, for different values of
  /// `provider`. Each of its descriptions becomes one OptionDescription.
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

/// Returns the allowed providers that `answer` describes, sorted by type, with their allowed
/// options. `answer` is rclone's reply to `config/providers`; `failed` if it is malformed.
Result<std::vector<ProviderDescription>> describe_providers(const boost::json::value& answer);

}  // namespace coffer::rclone
