#pragma once

#include <filesystem>

#include "base/error.h"
#include "core/connectors/sealer.h"

namespace coffer::app {

/// The key under which connectors' secrets are sealed: the file, made with a random key and mode
/// 0600 where it is missing. `failed` where it cannot be read, has another size, or others may read
/// it. Safe beside other processes.
Result<core::Sealer::Key> secret_key(const std::filesystem::path& file);

}  // namespace coffer::app
