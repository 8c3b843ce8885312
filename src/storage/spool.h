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

/// Bytes on this machine's disk that came in and are nowhere yet. What it takes from the disk it
/// asks for on the pool that it was opened with. Not safe for concurrent calls.
class SpoolFile {
 public:
  virtual ~SpoolFile() = default;

  virtual std::uint64_t size_bytes() const = 0;
  /// All of `data` is taken before it returns, or nothing of it counts.
  virtual Task<Result<void>> append(std::span<const std::byte> data) = 0;
  /// What was appended so far outlives a crash of the machine.
  virtual Task<Result<void>> sync() = 0;
  virtual Task<Result<void>> truncate(std::uint64_t size_bytes) = 0;
  /// Up to `out.size()` bytes from `offset`; 0 at the end only.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// Of the open file, for Writer::adopt.
  virtual int descriptor() const = 0;
  /// True if a file of that id (Entry::file_id) and this size is this one under another name, by
  /// Writer::adopt. Does not block long.
  virtual bool is_known_as(std::uint64_t file_id) const = 0;
};

/// The files of what came in and belongs nowhere yet, by names of letters and digits. They stay
/// until they are removed, over all restarts. Safe from any thread; calls on one name come one
/// after the other.
class Spool {
 public:
  virtual ~Spool() = default;

  /// The file with its first `size_bytes`; what it has beyond is cut off. One of no bytes is made
  /// where it is missing; `not_found` if it holds less.
  virtual Task<Result<std::unique_ptr<SpoolFile>>> open(std::string name, std::uint64_t size_bytes,
                                                        Pool& pool) = 0;
  /// Nothing if it is missing.
  virtual Task<Result<void>> remove(std::string name, Pool& pool) = 0;
  virtual Task<Result<std::vector<std::string>>> names(Pool& pool) = 0;
};

}  // namespace coffer::storage
