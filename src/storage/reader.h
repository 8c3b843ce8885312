#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "async/task.h"
#include "base/error.h"
#include "storage/entry.h"

namespace coffer::storage {

/// One file opened for reading. It goes on giving the bytes that the file had when it was opened,
/// also after the file is replaced or deleted; where a backend cannot promise that, a read fails
/// rather than mix. Not safe for concurrent calls. Closing is by destruction and never blocks long.
class Reader {
 public:
  virtual ~Reader() = default;

  /// The file as it was when it was opened.
  virtual const Entry& entry() const = 0;

  /// Reads up to `out.size()` bytes from `offset`; 0 at the end of the file only. Going on where
  /// the last read ended is the cheap case; a remote backend starts its stream anew otherwise.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Reads without waiting, if the bytes are at hand (cached in memory): the count, or nothing when
  /// it would have to wait. Any I/O thread may call it.
  virtual std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// A file descriptor fit for sendfile(2), owned by the reader, where there is one.
  virtual std::optional<int> descriptor() const = 0;
};

}  // namespace coffer::storage
