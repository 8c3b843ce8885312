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

/// Notifies a client of a change. Does not contain the new state; the client must request it.
struct Event {
  enum class Kind : std::uint8_t {
    task,      ///< The subject is the task's id.
    folder,    ///< The subject is the folder's path, as the client gave it to watch the folder.
    account,   ///< The account's fields, usage or locations changed.
    shared,    ///< Another account shares an item with the account; the subject is its location.
    unshared,  ///< It does not any more.
    resync,    ///< Events were lost, so the client must request all states again.
  };
  Kind kind = Kind::resync;
  std::string subject = {};
  std::uint64_t number = 0;  ///< The position in the feed; set on delivery.

  bool operator==(const Event&) const = default;
};

constexpr auto words_of(Event::Kind) {
  using enum Event::Kind;
  return enum_words<Event::Kind>({{task, "task"},
                                  {folder, "folder"},
                                  {account, "account"},
                                  {shared, "shared"},
                                  {unshared, "unshared"},
                                  {resync, "resync"}});
}

/// The changes that a reader has not received yet. Several changes of a subject become one event.
/// Two events of the same subject are delivered at least the interval of their kind apart. If over
/// kMostTasks tasks or locations change, one resync replaces all the changes, whatever their kind.
/// Not safe for concurrent calls.
class PendingEvents {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  // The shortest times between two deliveries of one subject.
  static constexpr std::chrono::milliseconds kFolderInterval{250};
  static constexpr std::chrono::milliseconds kTaskInterval{500};
  static constexpr std::chrono::milliseconds kAccountInterval{1000};
  static constexpr std::chrono::milliseconds kResyncInterval{1000};
  static constexpr std::size_t kMostTasks = 200;

  /// `folders` are the paths of the watched folders.
  explicit PendingEvents(std::vector<std::string> folders);

  // Each function makes a change pending. `index` is an index of the constructor's `folders`.
  void note_folder(std::size_t index) { folders_.at(index).is_pending = true; }
  void note_task(std::string_view id);
  void note_account() { account_.is_pending = true; }
  /// An account shares the location with the client's account, or does not any more.
  void note_share(std::string_view location, bool is_shared);
  void note_resync() { resync_.is_pending = true; }

  bool empty() const;
  /// Returns when the next pending change is due; Instant::max() if nothing is pending.
  Instant next_due() const;
  /// Removes the changes that are due at `now` and returns them as events without numbers.
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
  std::map<std::string, Slot, std::less<>> tasks_;   ///< Also delivered ones, for an interval.
  std::map<std::string, bool, std::less<>> shares_;  ///< Locations, and whether they are shared.
  Slot account_;
  Slot resync_;
};

/// A queue of events for one client, which may disconnect and connect again. Waiting blocks no
/// thread. Safe from any thread.
class EventFeed {
 public:
  using Instant = PendingEvents::Instant;

  EventFeed(std::string id, std::vector<std::string> folders);

  const std::string& id() const { return id_; }

  /// Queues the change of a folder. `index` is its index in the constructor's `folders`.
  void folder_changed(std::size_t index);
  /// Queues a change of a folder whose watch has ended, and makes `take_lost` return true once.
  void folder_lost(std::size_t index);
  void task_changed(std::string_view id);
  void account_changed();
  void share_changed(std::string_view location, bool is_shared);
  /// Queues a resync, because changes may have been lost.
  void missed();
  /// Returns true if watches have ended since the last call. The caller must then renew them.
  bool take_lost();
  /// Ends the feed: no reader gets further events.
  void end();
  bool has_ended() const;

  /// A connection of the client.
  struct Reader {
    std::uint64_t id = 0;
    std::uint64_t number = 0;  ///< The last event's number when the reader was attached.
  };
  /// Attaches a reader, which replaces the current one. `number` is the number of the last event
  /// that the client has received; nullopt for a new client. A reconnected client first gets a
  /// resync if the feed has delivered events after this number, or if changes are pending.
  Reader attach(std::optional<std::uint64_t> number);
  /// Ends a reader: a waiting call of `next` and all later calls return nullopt. Does nothing if
  /// another reader has replaced this one.
  void detach(std::uint64_t reader);
  bool has_reader() const;
  /// Returns when a reader was last detached; the time of construction if none was detached yet.
  Instant left_at() const;
  /// Waits for events and returns them. Returns an empty list if there are no events until `limit`.
  /// Returns nullopt if the feed or the reader has ended.
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
  std::uint64_t told_ = 0;    ///< The number of the last delivered event.
  std::uint64_t reader_ = 0;  ///< 0: none.
  std::uint64_t last_reader_ = 0;
  Instant left_at_ = std::chrono::steady_clock::now();
  bool has_ended_ = false;
  bool has_lost_ = false;
  std::shared_ptr<asio::steady_timer> waiter_;  ///< Null if no reader waits.
  Instant waits_until_ = Instant::min();
};

}  // namespace coffer::core
