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

/// Received bytes on this machine's disk that belong to no item yet. Disk calls run on the pool
/// that it was opened with. Not safe for concurrent calls.
class SpoolFile {
 public:
  virtual ~SpoolFile() = default;

  virtual std::uint64_t size_bytes() const = 0;
  /// Appends all of `data`; after a failure nothing of it counts.
  virtual Task<Result<void>> append(std::span<const std::byte> data) = 0;
  /// Brings everything that was appended to the disk.
  virtual Task<Result<void>> sync() = 0;
  virtual Task<Result<void>> truncate(std::uint64_t size_bytes) = 0;
  /// Reads up to `out.size()` bytes from `offset`; returns 0 at the end only.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// The open file's, for Writer::adopt.
  virtual int descriptor() const = 0;
  /// True if the file with that id (Entry::file_id) is this one under another name, given by
  /// Writer::adopt. Does not block long.
  virtual bool is_known_as(std::uint64_t file_id) const = 0;
};

/// The spool files by their names, which consist of letters and digits. They stay until they are
/// removed, also over restarts. Safe from any thread, but not for concurrent calls with one name.
class Spool {
 public:
  virtual ~Spool() = default;

  /// Opens the file and truncates it to `size_bytes`; `not_found` if it holds less. With a size of
  /// 0, makes the file if it is missing.
  virtual Task<Result<std::unique_ptr<SpoolFile>>> open(std::string name, std::uint64_t size_bytes,
                                                        Pool& pool) = 0;
  /// Succeeds if it is missing.
  virtual Task<Result<void>> remove(std::string name, Pool& pool) = 0;
  virtual Task<Result<std::vector<std::string>>> names(Pool& pool) = 0;
};

}  // namespace coffer::storage
