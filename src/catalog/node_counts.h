#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "storage/names.h"

namespace coffer::catalog {

/// Tells whether trees may get more names, without a row that all changes of a tree would wait for:
/// what this process has added is known, and now and then the tree is counted. Other processes add
/// names too, so a tree may get some more than `most`. Safe from any thread.
class NodeCounts {
 public:
  using Clock = std::chrono::steady_clock;
  /// A tree is counted after it grew by so many names here.
  static constexpr std::uint64_t kUncounted = 20'000;
  /// A tree that is full is counted again after this time, since others may remove names.
  static constexpr std::chrono::seconds kBetweenCounts{10};

  explicit NodeCounts(std::uint64_t most, std::function<Clock::time_point()> now = &Clock::now)
      : most_(most), now_(std::move(now)) {}

  std::uint64_t most() const { return most_; }

  enum class Room : std::uint8_t { yes, no, must_count };
  /// Returns whether the tree may get so many names more.
  Room room_for(storage::NameTreeId tree, std::uint64_t names);
  /// Notes that the tree has so many names.
  void counted(storage::NameTreeId tree, std::uint64_t names);
  /// Notes that the tree got so many names more.
  void grew(storage::NameTreeId tree, std::uint64_t names);

 private:
  struct Known {
    std::uint64_t names = 0;  ///< When it was counted.
    std::uint64_t added = 0;  ///< Since then.
    Clock::time_point at{};
  };

  const std::uint64_t most_;
  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;
  std::map<storage::NameTreeId, Known> trees_;
};

}  // namespace coffer::catalog
