#pragma once

#include <filesystem>
#include <optional>

#include "backends/local/handle.h"
#include "backends/local/root.h"

namespace coffer::local {

/// Where a folder was looked for, or is; the handle is empty if it is not there.
struct FoundFolder {
  std::filesystem::path path;
  Handle folder;
};

/// Nothing without a folder.
std::optional<RootIdentity> identity_at(const Handle& folder);

/// The folder at the path if it is that one: its disk may not be mounted.
FoundFolder find_folder(const std::filesystem::path& path, const RootIdentity& identity);

/// That folder under another name in the same place: it was put aside.
FoundFolder find_beside(const std::filesystem::path& path, const RootIdentity& identity);

}  // namespace coffer::local
