#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "backends/objects/blobs.h"

namespace coffer::objects {

/// Objects in memory, with faults on demand. Holds callers to the port: throws std::logic_error if
/// a name is put a second time, a put is longer than 8 MiB, or a removal names more than 1,000.
/// Safe from any thread. Must outlive its calls.
class MemoryBlobs final : public Blobs {
 public:
  Task<Result<void>> put(const ObjectId& id, std::span<const std::byte> bytes,
                         const Sha256& sha256) override;
  Task<Result<void>> read(const ObjectId& id, std::uint64_t offset,
                          std::span<std::byte> out) override;
  Task<Result<std::vector<ObjectId>>> remove(std::span<const ObjectId> ids) override;
  Task<Result<void>> reach() override;

  enum class Moment : std::uint8_t { before_effect, after_effect };
  /// The n-th put or removal from now on, counted from 1, fails as `unready`. Replaces the fault
  /// that was set before.
  void fail_put(std::size_t nth, Moment moment);
  void fail_removal(std::size_t nth, Moment moment);
  /// The n-th read from now on, counted from 1, fails as `unready`, with some bytes written.
  void fail_read(std::size_t nth);
  /// As long as it is away, every call fails as `unready`.
  void set_away(bool is_away);

  /// From now on the store refuses to remove the object.
  void lock(const ObjectId& id);
  /// The object goes missing, or keeps its first bytes only. It must be there.
  void lose(const ObjectId& id);
  void shorten(const ObjectId& id, std::size_t bytes);

  bool contains(const ObjectId& id) const;
  std::vector<ObjectId> ids() const;
  std::size_t count() const;
  /// Calls of `put` so far, those that failed too; of `read`; of `remove`.
  std::size_t puts() const;
  std::size_t reads() const;
  std::size_t removals() const;

 private:
  struct Fault {
    std::size_t at_call = 0;
    Moment moment = Moment::before_effect;
  };
  /// The calls of one kind, and which of them fails.
  struct Calls {
    std::size_t made = 0;
    std::optional<Fault> fault = {};
  };

  static void set(Calls& calls, std::size_t nth, Moment moment);
  /// Counts a call, and returns when it fails; nullopt if it does not.
  std::optional<Moment> begin(Calls& calls) const;
  Result<void> store(const ObjectId& id, std::span<const std::byte> bytes, const Sha256& sha256);
  Result<void> copy_out(const ObjectId& id, std::uint64_t offset, std::span<std::byte> out) const;
  std::vector<std::byte>& object(const ObjectId& id);

  mutable std::mutex mutex_;
  std::map<ObjectId, std::vector<std::byte>> objects_;
  std::set<ObjectId> names_;  ///< All that were ever put.
  std::set<ObjectId> locked_;
  Calls puts_;
  Calls reads_;
  Calls removals_;
  bool is_away_ = false;
};

}  // namespace coffer::objects
