#pragma once

#include <optional>

#include "base/character_set.h"
#include "base/error.h"
#include "core/archive/archive_host.h"

namespace coffer::core {

/// Reads an archive as read_archive does if it is a zip that has the list of its items. Otherwise
/// returns nullopt.
///
/// Own code, since libarchive gives up at the first item that is encrypted or compressed by
/// Deflate64, and does not bound the memory of other methods. An item that cannot be read does not
/// keep the others from being read.
std::optional<Result<void>> read_zip(ArchiveHost& host, const ArchiveBounds& bounds,
                                     std::optional<CharacterSet> names);

}  // namespace coffer::core
