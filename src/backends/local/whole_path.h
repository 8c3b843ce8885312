#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "backends/local/handle.h"

namespace coffer::local {

/// A folder by its whole path, links and all; an O_PATH handle. `resolve` as of openat2(2). Empty,
/// and errno says why, if there is none.
Handle open_whole(const std::filesystem::path& path, std::uint64_t resolve);

/// Where a folder is, without links, if that is known without waiting for a disk.
std::optional<std::string> resolve_now(const std::filesystem::path& path);

}  // namespace coffer::local
