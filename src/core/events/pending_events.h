#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/event.h"

namespace coffer::core {

/// What a reader is to hear of yet: each thing once, however often it changes, and not sooner
/// than its interval after the last time; the last change never goes under. Bounded: more tasks
/// than it holds become one resync. A resync stands for all else. Not safe for concurrent calls.
class PendingEvents {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kFolderInterval{250};
  static constexpr std::chrono::milliseconds kTaskInterval{500};
  static constexpr std::chrono::milliseconds kAccountInterval{1000};
  static constexpr std::chrono::milliseconds kResyncInterval{1000};
  static constexpr std::size_t kMostTasks = 200;

  /// Of folders with these paths.
  explicit PendingEvents(std::vector<std::string> folders);

  void note_folder(std::size_t index) { folders_.at(index).is_pending = true; }
  void note_task(std::string_view id);
  void note_account() { account_.is_pending = true; }
  void note_resync() { resync_.is_pending = true; }

  bool empty() const;
  /// When `take` has something: in the past where it has it already, never where nothing is
  /// pending.
  Instant next_due() const;
  /// What the reader is to hear of now, without numbers.
  std::vector<Event> take(Instant now);

 private:
  struct Slot {
    bool is_pending = false;
    Instant not_before = Instant::min();

    bool take(Instant now, std::chrono::milliseconds interval);
  };
  void for_each(const std::function<void(const Slot&)>& look) const;
  void forget_told(Instant now);
  void clear();

  const std::vector<std::string> paths_;
  std::vector<Slot> folders_;
  std::map<std::string, Slot, std::less<>> tasks_;  ///< Also those of a moment ago.
  Slot account_;
  Slot resync_;
};

}  // namespace coffer::core
