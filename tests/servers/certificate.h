#pragma once

#include <filesystem>

namespace coffer::servers {

/// Makes a certificate for 127.0.0.1 and localhost that only its own file vouches for.
struct Certificate {
  /// Needs the program openssl.
  explicit Certificate(const std::filesystem::path& folder);

  std::filesystem::path certificate;
  std::filesystem::path key;
  std::filesystem::path both;  ///< One file with the two, as some servers want it.
};

}  // namespace coffer::servers
