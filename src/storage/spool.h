#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::storage {

/// An upload, and the number of the turn that a request has on it. Of several requests, in one or
/// several servers, the last to take a turn has the highest number, and works on the upload alone.
struct UploadTurn {
  UploadId upload;
  std::int64_t number = 0;

  bool operator==(const UploadTurn&) const = default;
};

/// Collects received bytes until an item is made from them. Disk calls run on the pool that was
/// passed to Spool::open. Not safe for concurrent calls.
class SpoolFile {
 public:
  virtual ~SpoolFile() = default;

  virtual std::uint64_t size_bytes() const = 0;
  /// Appends all of `data`. After a failure, no part of `data` belongs to the file.
  virtual Task<Result<void>> append(std::span<const std::byte> data) = 0;
  /// Makes all appended data durable. `conflict` if another request has taken the upload's turn, in
  /// a spool that several servers share.
  virtual Task<Result<void>> sync() = 0;
  /// Cuts the file. `size_bytes` is at most its size.
  virtual Task<Result<void>> truncate(std::uint64_t size_bytes) = 0;
  /// Reads up to `out.size()` bytes from `offset` and returns their number. Returns 0 only at the
  /// end of the file.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// Returns the descriptor of a file on this machine's disk, for Writer::adopt; nullopt for
  /// others.
  virtual std::optional<int> descriptor() const { return std::nullopt; }
  /// Returns true if the item with this Entry::file_id was made from this file by Writer::adopt, as
  /// a hard link: the ids are equal, and the file has more than one link. Does not block long.
  virtual bool is_known_as(std::uint64_t /*file_id*/) const { return false; }
};

/// The spool files by name, which is their upload's id, of letters and digits. A file exists until
/// it is removed, also across restarts. Calls with different names are safe from any thread; calls
/// with the same name must not be concurrent in one server.
class Spool {
 public:
  virtual ~Spool() = default;

  /// Opens the file of an upload and truncates it to `size_bytes`. With a size of 0, creates the
  /// file if it is missing. `not_found` if the file has fewer than `size_bytes` bytes.
  virtual Task<Result<std::unique_ptr<SpoolFile>>> open(UploadTurn turn, std::uint64_t size_bytes,
                                                        Pool& pool) = 0;
  /// Removes a file. Succeeds if the file is missing.
  virtual Task<Result<void>> remove(std::string name, Pool& pool) = 0;
  virtual Task<Result<std::vector<std::string>>> names(Pool& pool) = 0;
  /// Returns how many more bytes there is room for.
  virtual Task<Result<std::uint64_t>> free_bytes(Pool& pool) = 0;
};

}  // namespace coffer::storage
