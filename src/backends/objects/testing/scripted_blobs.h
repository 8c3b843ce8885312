#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "async/suspend.h"
#include "backends/objects/testing/memory_blobs.h"

namespace coffer::objects {

/// A store in memory whose PUTs wait until a test lets them go on, or fail.
class ScriptedBlobs final : public Blobs {
 public:
  Task<Result<void>> put(const ObjectId& id, std::span<const std::byte> bytes,
                         const Sha256& sha256) override {
    if (holds_) {
      co_await suspend([this](Resume resume) {
        const std::lock_guard lock(mutex_);
        held_.push_back(std::move(resume));
      });
    }
    if (failure_) co_return std::unexpected(*failure_);
    co_return co_await stored.put(id, bytes, sha256);
  }
  Task<Result<void>> read(const ObjectId& id, std::uint64_t offset,
                          std::span<std::byte> out) override {
    if (failure_) co_return std::unexpected(*failure_);
    co_return co_await stored.read(id, offset, out);
  }
  Task<Result<std::vector<ObjectId>>> remove(std::span<const ObjectId> ids) override {
    if (failure_) co_return std::unexpected(*failure_);
    co_return co_await stored.remove(ids);
  }
  Task<Result<void>> reach() override {
    if (failure_) co_return std::unexpected(*failure_);
    co_return co_await stored.reach();
  }

  MemoryRoom::Hold begin_hold() override {
    return room ? room->begin({"owner"}) : MemoryRoom::Hold();
  }

  void hold() { holds_ = true; }
  /// The number of PUTs that wait.
  std::size_t held() const {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }
  void let_go() {
    holds_ = false;
    std::vector<Resume> all;
    {
      const std::lock_guard lock(mutex_);
      all.swap(held_);
    }
    for (Resume& one : all) one();
  }
  /// All calls fail from now on.
  void fail_with(ErrorCode code) { failure_ = Error{code, "The store is away."}; }
  void work_again() { failure_.reset(); }

  MemoryBlobs stored;
  std::optional<MemoryRoom> room;  ///< Limits what `begin_hold` gives, if it is set.

 private:
  bool holds_ = false;
  std::optional<Error> failure_;
  mutable std::mutex mutex_;
  std::vector<Resume> held_;
};

}  // namespace coffer::objects
