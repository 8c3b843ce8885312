#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/enum_words.h"

namespace coffer::core {

/// A change; the reader requests the new state itself.
struct Event {
  enum class Kind : std::uint8_t {
    task,     ///< The subject is the task's id.
    folder,   ///< The subject is the folder's path as it was requested.
    account,  ///< Its name, limit, usage or locations.
    resync,   ///< Anything may have changed.
  };
  Kind kind = Kind::resync;
  std::string subject = {};
  std::uint64_t number = 0;  ///< Within its feed; assigned when it is delivered.

  bool operator==(const Event&) const = default;
};

/// As the stream of events names them.
constexpr auto words_of(Event::Kind) {
  using enum Event::Kind;
  return enum_words<Event::Kind>(
      {{task, "task"}, {folder, "folder"}, {account, "account"}, {resync, "resync"}});
}

/// The changes that a reader has not received yet: each subject once, however often it changes, and
/// not sooner than its interval after the last delivery. No last change is lost. Bounded: too many
/// tasks become one resync, which replaces all else. Not safe for concurrent calls.
class PendingEvents {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kFolderInterval{250};
  static constexpr std::chrono::milliseconds kTaskInterval{500};
  static constexpr std::chrono::milliseconds kAccountInterval{1000};
  static constexpr std::chrono::milliseconds kResyncInterval{1000};
  static constexpr std::size_t kMostTasks = 200;

  /// `folders` are the paths of the watched folders.
  explicit PendingEvents(std::vector<std::string> folders);

  void note_folder(std::size_t index) { folders_.at(index).is_pending = true; }
  void note_task(std::string_view id);
  void note_account() { account_.is_pending = true; }
  void note_resync() { resync_.is_pending = true; }

  bool empty() const;
  /// The time from which `take` returns something; the maximum if nothing is pending.
  Instant next_due() const;
  /// Removes and returns the changes that are due, without numbers.
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
  std::map<std::string, Slot, std::less<>> tasks_;  ///< Including those delivered a moment ago.
  Slot account_;
  Slot resync_;
};

/// A queue of events for one reader, which may disconnect and return. Waiting takes no thread. Safe
/// from any thread.
class EventFeed {
 public:
  using Instant = PendingEvents::Instant;

  EventFeed(std::string id, std::vector<std::string> folders);

  /// The feed's id.
  const std::string& id() const { return id_; }

  void folder_changed(std::size_t index);
  /// The same, and the folder has to be watched anew.
  void folder_lost(std::size_t index);
  void task_changed(std::string_view id);
  void account_changed();
  void missed();
  /// Returns whether a folder was lost since the last call.
  bool take_lost();
  /// Ends the feed: no reader gets further events.
  void end();
  bool has_ended() const;

  /// A reader and the number of the last event that it has. A new reader replaces the one before,
  /// and gets a resync if it missed an event.
  struct Reader {
    std::uint64_t id = 0;
    std::uint64_t number = 0;  ///< Of the last event that it has.
  };
  Reader attach(std::optional<std::uint64_t> number);
  /// Ends that reader; its `next` returns nullopt, also while it waits.
  void detach(std::uint64_t reader);
  bool has_reader() const;
  /// The time when the last reader left.
  Instant left_at() const;
  /// Waits for events until `limit`, and returns an empty list then; nullopt once the feed or the
  /// reader has ended.
  Task<std::optional<std::vector<Event>>> next(std::uint64_t reader, Instant limit);

 private:
  bool is_over(std::uint64_t reader) const { return has_ended_ || reader != reader_; }
  template <class Note>
  void note(Note change);
  void wake();
  std::vector<Event> take(Instant now);
  Task<void> wait_until(std::uint64_t reader, Instant limit);

  const std::string id_;
  mutable std::mutex mutex_;
  PendingEvents pending_;
  std::uint64_t told_ = 0;    ///< The number of the last event.
  std::uint64_t reader_ = 0;  ///< 0: none.
  std::uint64_t last_reader_ = 0;
  Instant left_at_ = std::chrono::steady_clock::now();
  bool has_ended_ = false;
  bool has_lost_ = false;
  std::shared_ptr<asio::steady_timer> waiter_;  ///< While the reader waits.
  Instant waits_until_ = Instant::min();
};

}  // namespace coffer::core
