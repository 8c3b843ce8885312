#pragma once

#include <cstdint>

#include "base/error.h"
#include "core/archive/inflate64.h"

namespace coffer::core {

/// How the content of an item in a zip is compressed (APPNOTE.TXT, 4.4.5).
enum class ZipMethod : std::uint16_t {
  stored = 0,
  deflate = 8,
  deflate64 = 9,
  bzip2 = 12,
  lzma = 14,
  zstd = 93,
  xz = 95,
};

/// Returns true if `unpack_content` knows the method.
bool is_known(ZipMethod method);

/// Unpacks the content of an item, which has `size_bytes` bytes, until its end. Takes up to about
/// 200 MiB of memory, if the content asks for so much. Errors:
/// - `invalid` if the content is damaged or cut off, or if `sink` returns false
/// - `refused` if it needs more memory
Result<void> unpack_content(ZipMethod method, std::uint64_t size_bytes, const PackedSource& source,
                            const ContentSink& sink);

}  // namespace coffer::core
