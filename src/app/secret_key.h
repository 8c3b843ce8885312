#pragma once

#include <filesystem>

#include "base/error.h"
#include "core/connectors/sealer.h"

namespace coffer::app {

/// The key under which connectors' secrets are sealed: the file. `not_found` where it is missing,
/// `failed` where it cannot be read, has another size, or others may read it.
Result<core::Sealer::Key> read_secret_key(const std::filesystem::path& file);

/// Makes it, with a random key and mode 0600. Another process may make it at the same time.
Result<core::Sealer::Key> make_secret_key(const std::filesystem::path& file);

}  // namespace coffer::app
