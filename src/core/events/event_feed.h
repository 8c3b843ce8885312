#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "core/events/event.h"
#include "core/events/pending_events.h"

namespace coffer::core {

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
