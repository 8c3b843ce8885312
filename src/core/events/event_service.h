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

/// One client's connection to its events. Not safe for concurrent calls.
class EventStream {
 public:
  EventStream(EventService& service, std::shared_ptr<EventSubscription> subscription,
              EventFeed::Reader reader);
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  /// The id by which the client resumes behind the event of that number.
  std::string id_of(std::uint64_t number) const;
  /// The number of the last event, including events that were not for the client.
  std::uint64_t number() const { return number_; }
  /// Waits for events until `limit`, and returns an empty list then. nullopt at the end: the right
  /// to them was lost, or the client connected again elsewhere.
  Task<std::optional<std::vector<Event>>> next(EventFeed::Instant limit);
  /// Ends it, also while `next` waits.
  void end();

 private:
  Task<void> keep_visible(std::vector<Event>& events);
  Task<bool> is_visible(const Event& event);

  EventService& service_;
  const std::shared_ptr<EventSubscription> subscription_;
  const EventFeed::Reader reader_;
  std::uint64_t number_;
  std::set<std::string, std::less<>> visible_tasks_;  ///< For a key that is limited to a folder.
};

/// Delivers events to clients: changes in the folders that they watch, and of their account's tasks
/// and figures. Keeps events for clients that reconnect within `kKeptFor`. Safe from any thread.
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
  /// `most_streams` is the limit for all accounts together.
  EventService(Services services, std::size_t most_streams);
  ~EventService();

  /// Opens a stream, or resumes the one that `last_id` names. It reports changes from its return
  /// on. A folder need not exist, but its location must. `rate_limited` if the account has too many
  /// streams, `overloaded` if the server has.
  Task<Result<std::unique_ptr<EventStream>>> open(const Principal& principal,
                                                  std::vector<Path> folders, std::string last_id);

  void task_changed(AccountId account, const TaskId& task);
  void used_changed(AccountId account);
  /// Ends streams that lost their right, and drops clients that did not reconnect. The background
  /// calls it every second, never concurrently.
  Task<void> check_rights();
  /// The number of connected clients.
  std::size_t streams() const;

 private:
  friend class EventStream;
  using Subscription = std::shared_ptr<EventSubscription>;
  std::unique_ptr<EventStream> resume(const Principal& principal, const std::vector<Path>& folders,
                                      std::string_view last_id);
  Result<void> add(const Subscription& subscription);
  std::vector<Subscription> all();
  void drop_unused();
  Task<void> check(EventSubscription& one, catalog::RightsMark mark);
  Task<void> refresh(Subscription one);
  template <class Tell>
  void tell(AccountId account, Tell change);

  const Services services_;
  const std::size_t most_streams_;
  const std::string run_;  ///< The prefix of this process's ids.
  AccessRecheck access_recheck_;
  mutable std::mutex mutex_;
  std::multimap<AccountId, Subscription> subscriptions_;
  unsigned checks_ = 0;  ///< For `check_rights` alone.
};

}  // namespace coffer::core
