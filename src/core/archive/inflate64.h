#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace coffer::core {

/// Gives the next bytes of a compressed stream, valid until the next call; none at its end.
using PackedSource = std::function<std::span<const std::byte>()>;
/// Takes the next bytes of a content. Returns false if there shall be no more.
using ContentSink = std::function<bool(std::span<const std::byte>)>;

/// Unpacks a stream of Deflate64, a variant of Deflate (RFC 1951) with a window of 64 KiB, which
/// Windows uses for large files in zips, and for which zlib has no function. Returns false if the
/// stream is damaged or cut off, or if `sink` does. Takes about 70 KiB of memory.
bool inflate64(const PackedSource& source, const ContentSink& sink);

}  // namespace coffer::core
