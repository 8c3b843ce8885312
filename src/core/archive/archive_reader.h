#pragma once

#include <cstdint>

#include "base/error.h"
#include "core/archive/archive_host.h"

namespace coffer::core {

/// How much of an archive is looked at.
struct ArchiveBounds {
  std::uint64_t items = 250'000;
  /// Of a compressed tar, as it is unpacked, and of what is passed over in a 7z, which takes as
  /// long.
  std::uint64_t stream_bytes = std::uint64_t{1} << 40;
};

/// Goes through an archive from its first item to its last: a zip, a 7z, or a tar, which may be
/// packed by gzip, bzip2, xz, zstd or lz4. Blocks, and takes as much memory as the archive asks for
/// (libarchive bounds neither xz nor 7z), so it is for a process that is bounded.
///
/// Fails with `invalid` for what is no such archive, is damaged, or encrypted, and `refused` for
/// what passes a bound; what the host was given before that stands.
Result<void> read_archive(ArchiveHost& host, const ArchiveBounds& bounds);

}  // namespace coffer::core
