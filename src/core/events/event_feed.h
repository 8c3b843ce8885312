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

namespace coffer::core {

/// Something that changed, about which its reader asks again.
struct Event {
  enum class Kind : std::uint8_t {
    task,     ///< The subject is its id.
    folder,   ///< The subject is its path, as it was asked for.
    account,  ///< What it is called, may use and uses, or which places it has.
    resync,   ///< Anything may have changed.
  };
  Kind kind = Kind::resync;
  std::string subject = {};
  std::uint64_t number = 0;  ///< Among those of its feed, which are numbered as they go out.

  bool operator==(const Event&) const = default;
};

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

/// Events on their way to one reader, which may go and come again meanwhile. It waits without a
/// thread. Safe from any thread.
class EventFeed {
 public:
  using Instant = PendingEvents::Instant;

  EventFeed(std::string id, std::vector<std::string> folders);

  /// Of the feed, without a number.
  const std::string& id() const { return id_; }

  void folder_changed(std::size_t index);
  /// The same, and the folder is to be looked for anew.
  void folder_lost(std::size_t index);
  void task_changed(std::string_view id);
  void account_changed();
  void missed();
  /// True once for each time that a folder was lost.
  bool take_lost();
  /// No reader gets anything more.
  void end();
  bool has_ended() const;

  /// A reader that stands behind the event of that number, if any; the one before ends. It gets
  /// one resync if it missed anything.
  struct Reader {
    std::uint64_t id = 0;
    std::uint64_t number = 0;  ///< Of the event that it stands behind.
  };
  Reader attach(std::optional<std::uint64_t> number);
  /// Ends that reader: its `next` returns nothing, also while it waits.
  void detach(std::uint64_t reader);
  bool has_reader() const;
  /// Since when there is none.
  Instant left_at() const;
  /// The next events; none where nothing happens until `limit`. Nothing once the feed, or the
  /// reader, has ended.
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
