#pragma once

#include <string>
#include <string_view>

#include "base/path.h"
#include "storage/backend.h"
#include "storage/entry.h"

namespace coffer::core {

/// A file or folder that goes into an archive.
struct ArchiveItem {
  storage::Backend* backend = nullptr;
  Path path;         ///< In the backend.
  std::string name;  ///< In the archive, with slashes.
  storage::Entry entry;
  /// True for names directly in it that are left out, since they lead elsewhere. May be null.
  bool (*is_reserved)(std::string_view name) = nullptr;
};

}  // namespace coffer::core
