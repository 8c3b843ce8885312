#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/batch/file_tasks.h"
#include "core/events/event_feed.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"
#include "core/tasks/background.h"

namespace coffer::core {

class EventService;
class EventSubscription;

/// One client's events, as long as it stays. Not safe for concurrent calls.
class EventStream {
 public:
  EventStream(EventService& service, std::shared_ptr<EventSubscription> subscription,
              EventFeed::Reader reader);
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  /// By which the client comes again, standing behind the event of that number.
  std::string id_of(std::uint64_t number) const;
  /// Of the last event that is behind it, also where it was not the client's to know.
  std::uint64_t number() const { return number_; }
  /// The next events; none where nothing happens until `limit`. Nothing at the end: the right
  /// to them was lost, or the client came again elsewhere.
  Task<std::optional<std::vector<Event>>> next(EventFeed::Instant limit);
  /// Ends it, also while `next` waits.
  void end();

 private:
  Task<void> leave_out_others(std::vector<Event>& events);
  Task<bool> is_to_be_told(const Event& event);

  EventService& service_;
  const std::shared_ptr<EventSubscription> subscription_;
  const EventFeed::Reader reader_;
  std::uint64_t number_;
  std::set<std::string, std::less<>> told_tasks_;  ///< Of a key that is limited to a folder.
};

/// Events of accounts: what changes in folders that are watched for a client, and of its account's
/// tasks and figures. What a client missed for a moment waits for it. Safe from any thread.
class EventService {
 public:
  static constexpr std::size_t kMostStreams = 32;  ///< Of one account.
  static constexpr std::size_t kMostFolders = 16;
  static constexpr std::chrono::seconds kKeptFor{60};

  struct Services {
    catalog::Catalog& catalog;
    HomeDirectories& homes;
    Mounts& mounts;
    FileTasks& tasks;
    Background& background;
  };
  /// `most_streams` of all accounts together.
  EventService(Services services, std::size_t most_streams);
  ~EventService();

  /// Begins, or goes on where the client stood that `last_id` names. It tells of what changes
  /// from its return on. A folder need not exist, but its place must. `rate_limited` if the account
  /// has too many streams, `overloaded` if the server has.
  Task<Result<std::unique_ptr<EventStream>>> open(const Principal& principal,
                                                  std::vector<Path> folders, std::string last_id);

  void task_changed(AccountId account, const TaskId& task);
  void used_changed(AccountId account);
  /// To be called every second, by the background and not at the same time: ends what lost its
  /// right, and forgets clients that did not come again.
  Task<void> look();
  /// How many clients there are.
  std::size_t streams() const;

 private:
  friend class EventStream;
  using Subscription = std::shared_ptr<EventSubscription>;
  std::unique_ptr<EventStream> take_up(const Principal& principal, const std::vector<Path>& folders,
                                       std::string_view last_id);
  Result<void> add(const Subscription& subscription);
  std::vector<Subscription> all();
  void drop_unused();
  Task<void> check(EventSubscription& one, catalog::RightsMark mark);
  Task<void> look_at(Subscription one);
  template <class Tell>
  void tell(AccountId account, Tell change);

  const Services services_;
  const std::size_t most_streams_;
  const std::string run_;  ///< Other processes' ids begin otherwise.
  AccessRecheck access_recheck_;
  mutable std::mutex mutex_;
  std::multimap<AccountId, Subscription> subscriptions_;
  unsigned looks_ = 0;  ///< For `look` alone.
};

}  // namespace coffer::core
