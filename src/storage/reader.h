#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "async/task.h"
#include "base/error.h"
#include "storage/entry.h"

namespace coffer::storage {

/// A file opened for reading. It returns the bytes that the file had when it was opened, also after
/// the file was replaced or deleted; if a backend cannot do that, a read fails instead of mixing
/// two contents. Not safe for concurrent calls. The destructor closes the file and never blocks
/// long.
class Reader {
 public:
  virtual ~Reader() = default;

  /// The file as it was when it was opened.
  virtual const Entry& entry() const = 0;

  /// Reads up to `out.size()` bytes from `offset`; returns 0 at the end of the file only. For an
  /// offset other than the end of the last read, a remote backend starts a new stream.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Reads without blocking if the bytes are in memory; nullopt if it would block. Any I/O thread
  /// may call it.
  virtual std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// A descriptor for sendfile(2), owned by the reader; nullopt if there is none.
  virtual std::optional<int> descriptor() const = 0;
};

}  // namespace coffer::storage
