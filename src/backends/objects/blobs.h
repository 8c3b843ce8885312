#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "async/memory_room.h"
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
  /// Removes the objects, at most 1,000. Objects that are missing count as removed. Returns those
  /// that the store refused to remove, with the first reason in the log; all others are gone.
  /// `unready` if it refused all for the moment.
  virtual Task<Result<std::vector<ObjectId>>> remove(std::span<const ObjectId> ids) = 0;
  /// Asks the store, once and without waiting for other calls, whether it would serve a read.
  virtual Task<Result<void>> reach() = 0;

  /// Returns the same store for the calls of one owner, such as an account: owners take turns, and
  /// none of them can hold all connections. Lives as long as this object, since calls may go on
  /// when nobody waits for them any more, after the account itself is gone.
  virtual Blobs& of_owner(std::uint64_t /*owner*/) { return *this; }
  /// Begins to hold memory for bytes on their way to or from the store: the owner's. Not limited if
  /// the store does not limit it.
  virtual MemoryRoom::Hold begin_hold() { return {}; }
  /// Returns the store itself, by which its owners' views can be known as one.
  virtual const Blobs& whole() const { return *this; }
};

}  // namespace coffer::objects
