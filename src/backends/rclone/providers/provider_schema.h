#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <vector>

#include "base/error.h"

/// The allowed providers and options as rclone describes them, for a form.
namespace coffer::rclone {

/// A value that rclone proposes.
struct OptionExample {
  std::string value;
  std::string help;
  std::string only_for;  ///< As `OptionDescription::only_for`.

  bool operator==(const OptionExample&) const = default;
};

struct OptionDescription {
  std::string name;
  std::string help;
  std::string default_value;  ///< Empty for none.
  /// Values of the option `provider` that this is for, divided by commas; after a `!`, those that
  /// it is not for. Empty for all. An option with several of them is listed once for each.
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
/// this rclone does not have are left out. `failed` for a malformed reply.
Result<std::vector<ProviderDescription>> describe_providers(const boost::json::value& answer);

}  // namespace coffer::rclone
