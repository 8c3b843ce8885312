#pragma once

#include <optional>

#include "base/character_set.h"
#include "base/error.h"
#include "core/archive/archive_host.h"

namespace coffer::core {

/// Reads an archive from its first item to its last and passes the items to `host`. The archive is
/// a zip, a 7z, or a tar. The tar may be compressed by gzip, bzip2, xz, zstd or lz4. Blocks. Call
/// it only in a process with limited memory: an xz or 7z can make libarchive use any amount of
/// memory.
///
/// Names that are no UTF-8 are in the character set `names`; without one they are in that which
/// people most likely mean (see item_name.h).
///
/// After a failure, the items that the host has received completely are valid. Errors:
/// - `invalid` if the archive has another format, its stream is damaged, or its list is encrypted
/// - `refused` if it exceeds a limit, needs too much memory or is compressed more than once
Result<void> read_archive(ArchiveHost& host, const ArchiveBounds& bounds,
                          std::optional<CharacterSet> names = {});

}  // namespace coffer::core
