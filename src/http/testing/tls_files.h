#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "http/tls_context.h"

namespace coffer::http {

/// A certificate for `localhost` that signs itself, and its key (ECDSA, P-256), in files of a
/// folder that exists.
TlsOptions make_tls_files(const std::filesystem::path& folder, const std::string& name = "server",
                          std::chrono::seconds valid_for = std::chrono::hours(24));

}  // namespace coffer::http
