#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"

/// What the program finds around it.
namespace coffer {

/// Makes a folder that no other user may look into, and those above it, unless it is there. Another
/// process may make it at the same time. `failed` with one clear line.
Result<void> make_folder(const std::filesystem::path& folder);

/// The file of certificates to trust in the place of the system's, as for programs with OpenSSL.
std::optional<std::string> trusted_certificates();

}  // namespace coffer
