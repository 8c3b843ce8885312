#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"

namespace coffer::storage {

/// A file on this machine's disk that collects received bytes until an item is made from them. Its
/// disk calls run on the pool that was passed to Spool::open. Not safe for concurrent calls.
class SpoolFile {
 public:
  virtual ~SpoolFile() = default;

  virtual std::uint64_t size_bytes() const = 0;
  /// Appends all of `data`. After a failure, no part of `data` belongs to the file.
  virtual Task<Result<void>> append(std::span<const std::byte> data) = 0;
  /// Syncs all appended data to the disk.
  virtual Task<Result<void>> sync() = 0;
  virtual Task<Result<void>> truncate(std::uint64_t size_bytes) = 0;
  /// Reads up to `out.size()` bytes from `offset` and returns their number. Returns 0 only at the
  /// end of the file.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// Returns the descriptor of the open file, for Writer::adopt.
  virtual int descriptor() const = 0;
  /// Returns true if the item with this Entry::file_id was made from this file by Writer::adopt:
  /// the ids are equal, and the file has more than one hard link. Does not block long.
  virtual bool is_known_as(std::uint64_t file_id) const = 0;
};

/// The spool files by name. Names consist of letters and digits. A file exists until it is removed,
/// also across restarts. Calls with different names are safe from any thread; calls with the same
/// name must not be concurrent.
class Spool {
 public:
  virtual ~Spool() = default;

  /// Opens a file and truncates it to `size_bytes`. With a size of 0, creates the file if it is
  /// missing. `not_found` if the file has fewer than `size_bytes` bytes.
  virtual Task<Result<std::unique_ptr<SpoolFile>>> open(std::string name, std::uint64_t size_bytes,
                                                        Pool& pool) = 0;
  /// Removes a file. Succeeds if the file is missing.
  virtual Task<Result<void>> remove(std::string name, Pool& pool) = 0;
  virtual Task<Result<std::vector<std::string>>> names(Pool& pool) = 0;
  /// Returns how many more bytes the disk of the files has room for.
  virtual Task<Result<std::uint64_t>> free_bytes(Pool& pool) = 0;
};

}  // namespace coffer::storage
