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
/// if the file was replaced or deleted since. A backend that cannot do this lets the read fail, and
/// never mixes two contents. Not safe for concurrent calls. The destructor closes the file
/// and does not block long.
class Reader {
 public:
  virtual ~Reader() = default;

  /// Returns the entry of the file as it was when the file was opened.
  virtual const Entry& entry() const = 0;

  /// Reads up to `out.size()` bytes from `offset` and returns their number. Returns 0 only at the
  /// end of the file. Callers should read in order: a remote backend has to start a new stream if
  /// `offset` is not the end of the previous read.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Reads bytes that are in memory, without blocking, and returns their number. Returns nullopt if
  /// the read would block. Any I/O thread may call it.
  virtual std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Returns bytes from `offset` that lie in memory already, without blocking; empty if there are
  /// none. Valid until the next call of `read` or `read_now`.
  virtual std::span<const std::byte> view(std::uint64_t /*offset*/) { return {}; }

  /// Returns a descriptor for sendfile(2), owned by the reader; nullopt if there is none.
  virtual std::optional<int> descriptor() const { return std::nullopt; }
};

/// Reads from memory where that is possible, else as Reader::read does.
inline Task<Result<std::size_t>> read_soon(Reader& reader, std::uint64_t offset,
                                           std::span<std::byte> out) {
  if (const auto at_once = reader.read_now(offset, out)) co_return *at_once;
  co_return co_await reader.read(offset, out);
}

}  // namespace coffer::storage
