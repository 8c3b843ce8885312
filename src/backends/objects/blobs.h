#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::objects {

/// The name of an object: 32 lower-case hexadecimal digits, drawn at random and never given out
/// again.
using ObjectId = StrongId<struct ObjectTag, std::string>;

using Sha256 = std::array<std::byte, 32>;

/// Where the bytes of files lie: a store of objects that are written once and never changed.
///
/// Errors of all calls: `unready` if the store does not answer, is busy or refuses for the moment
/// (Error::retry_after is set); `disk_full` if it has no space left; `failed` if it refuses for
/// good or its answer is damaged, with details in the log. Calls repeat what may be repeated by
/// themselves. Safe from any thread.
class Blobs {
 public:
  virtual ~Blobs() = default;

  /// Stores the bytes, at most 8 MiB, under a name that was never used. After a failure the object
  /// may be there nevertheless. `bytes` must stay until the call returns.
  virtual Task<Result<void>> put(const ObjectId& id, std::span<const std::byte> bytes,
                                 const Sha256& sha256) = 0;
  /// Reads exactly `out.size()` bytes from `offset`. `failed` if the object is missing or shorter.
  virtual Task<Result<void>> read(const ObjectId& id, std::uint64_t offset,
                                  std::span<std::byte> out) = 0;
  /// Removes the objects, at most 1,000. Objects that are missing count as removed.
  virtual Task<Result<void>> remove(std::span<const ObjectId> ids) = 0;
};

}  // namespace coffer::objects
