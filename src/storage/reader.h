#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "async/task.h"
#include "base/error.h"
#include "storage/entry.h"

namespace coffer::storage {

/// A file opened for reading. Reads return the content that the file had when it was opened, even
/// if the file was replaced or deleted since. If a backend cannot guarantee this, the read fails
/// instead of mixing two contents. Not safe for concurrent calls. The destructor closes the file
/// and does not block long.
class Reader {
 public:
  virtual ~Reader() = default;

  /// Returns the entry of the file as it was when the file was opened.
  virtual const Entry& entry() const = 0;

  /// Reads up to `out.size()` bytes from `offset` and returns their number. Returns 0 only at the
  /// end of the file. A remote backend starts a new stream unless `offset` is the end of the
  /// previous read.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Reads bytes that are in memory, without blocking, and returns their number. Returns nullopt if
  /// the read would block. Any I/O thread may call it.
  virtual std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Returns a descriptor for sendfile(2), owned by the reader; nullopt if there is none.
  virtual std::optional<int> descriptor() const = 0;
};

}  // namespace coffer::storage
