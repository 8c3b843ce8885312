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

/// The events of one connected client. Not safe for concurrent calls.
class EventStream {
 public:
  EventStream(EventService& service, std::shared_ptr<EventSubscription> subscription,
              EventFeed::Reader reader);
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  /// Returns the id with which EventService::open resumes the stream after the event `number`.
  std::string id_of(std::uint64_t number) const;
  /// Returns the number of the last event that `next` has returned, or, before that, of the last
  /// event before the stream was opened. Events that the client may not see are counted, too.
  std::uint64_t number() const { return number_; }
  /// Waits for events and returns them; an empty list if there are none until `limit`. Returns
  /// nullopt if the stream has ended: the right to the events was lost, or the client has resumed
  /// the stream on another connection.
  Task<std::optional<std::vector<Event>>> next(EventFeed::Instant limit);
  /// Ends the stream, even while `next` waits.
  void end();

 private:
  Task<void> keep_visible(std::vector<Event>& events);
  Task<bool> is_visible(const Event& event);

  EventService& service_;
  const std::shared_ptr<EventSubscription> subscription_;
  const EventFeed::Reader reader_;
  std::uint64_t number_;
  std::set<std::string, std::less<>> visible_tasks_;  ///< Of a key that is limited to a folder.
};

/// Delivers events to clients: changes in the folders that they watch, of their account and of its
/// tasks. Keeps events for clients that reconnect within `kKeptFor`. Safe from any thread.
class EventService {
 public:
  static constexpr std::size_t kMostStreams = 32;  ///< Of one account.
  static constexpr std::size_t kMostFolders = 16;  ///< Of one stream.
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

  /// Opens a stream, or resumes the stream that `last_id` names. The stream reports all changes
  /// after the return of this call. A folder need not exist, but its location must. Errors:
  /// - `invalid` if there are more than kMostFolders folders
  /// - `not_found` or `forbidden` if the principal cannot access a folder's location
  /// - `rate_limited` if the account has too many streams
  /// - `overloaded` if the server has too many streams
  Task<Result<std::unique_ptr<EventStream>>> open(const Principal& principal,
                                                  std::vector<Path> folders, std::string last_id);

  void task_changed(AccountId account, const TaskId& task);
  void used_changed(AccountId account);
  /// Ends the streams of clients that have lost their right to them, and drops clients that did not
  /// reconnect in time. To be called every second, never concurrently.
  Task<void> check_rights();
  /// Returns the number of connected clients.
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
  const std::string run_;  ///< A prefix for the ids that this process makes.
  AccessRecheck access_recheck_;
  mutable std::mutex mutex_;
  std::multimap<AccountId, Subscription> subscriptions_;
  unsigned checks_ = 0;  ///< Counts the calls of `check_rights`.
};

}  // namespace coffer::core
