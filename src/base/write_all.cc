#include "base/write_all.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace coffer {
namespace {

/// Linux caches what is written at once in a block of memory as large, where the file system can.
/// Blocks of up to this size each processor keeps at hand; larger ones are cut from memory that a
/// virtual machine may have given back to its host, and getting that again takes longer than all
/// the rest (docs/performance.md).
constexpr std::size_t kPieceBytes = 32 * 1024;

}  // namespace

int write_all(int descriptor, std::span<const std::byte> data, std::uint64_t offset) {
  while (!data.empty()) {
    const std::size_t piece =
        std::min<std::size_t>(data.size(), kPieceBytes - offset % kPieceBytes);
    const ssize_t count = ::write(descriptor, data.data(), piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    data = data.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return 0;
}

}  // namespace coffer
