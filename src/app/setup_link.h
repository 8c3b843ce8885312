#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/settings.h"
#include "base/error.h"

namespace coffer::app {

/// The one-time link that makes the first administrator, in the data folder's file `setup-link`,
/// which only its owner may read.
class SetupLink {
 public:
  explicit SetupLink(const std::filesystem::path& data) : file_(data / "setup-link") {}

  /// `failed` if the file cannot be written.
  Result<void> write(std::string_view link) const;
  void remove() const;

  /// Where people on this machine open it. A server on all addresses is named by the loopback one.
  static std::string at(const ListenAddress& listen, std::string_view token);

 private:
  const std::filesystem::path file_;
};

}  // namespace coffer::app
