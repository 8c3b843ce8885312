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

  /// Returns the `last_id` with which EventService::open continues after the event `number`.
  std::string id_of(std::uint64_t number) const;
  /// Returns the number of the last event that `next` has returned. Before the first event, returns
  /// the number of the last event before the stream was opened. Events that are hidden from the
  /// client have numbers too, so numbers can be missing in the stream.
  std::uint64_t number() const { return number_; }
  /// Waits for events and returns them. Returns an empty list if there are no events until `limit`.
  /// Returns nullopt if the stream has ended: the right to the events was lost, `end` was called,
  /// or the client has resumed the stream on another connection.
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
  std::set<std::string, std::less<>> visible_tasks_;  ///< Used only for a key with a scope.
};

/// Delivers events to clients. An event tells a client of a change in a folder that it watches, of
/// its account or of one of the account's tasks. Events are kept for a client that reconnects
/// within `kKeptFor`. Safe from any thread.
class EventService {
 public:
  static constexpr std::size_t kMostStreams = 32;  ///< The limit for one account.
  static constexpr std::size_t kMostFolders = 16;  ///< The limit for one stream.
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

  /// Opens a stream, which reports all changes after this call has returned. If `last_id` is not
  /// empty (see EventStream::id_of), resumes the stream that it names. If that stream is no longer
  /// kept, or had another credential or other folders, opens a new stream, which begins with a
  /// resync. The folders need not exist. Errors:
  /// - `invalid` if there are more than kMostFolders folders
  /// - `not_found` or `forbidden` if a folder is in no location that the principal can access
  /// - `rate_limited` if the account has too many streams
  /// - `overloaded` if the server has too many streams
  Task<Result<std::unique_ptr<EventStream>>> open(const Principal& principal,
                                                  std::vector<Path> folders, std::string last_id);

  /// Tells the account's clients that a task of the account has changed.
  void task_changed(AccountId account, const TaskId& task);
  /// Tells the account's clients of a change in a folder, seen by another server. The folder's path
  /// is from the account's root.
  void folder_changed(const catalog::WatchedFolder& folder);
  /// Returns the folders that clients watch, and the root of each account that has a client. Tells
  /// each client once, after some calls, that its folders may have changed: until then other
  /// servers may not have known of them.
  catalog::WatchedFolders watched();
  /// Tells clients, but not those with a key limited to a folder, that the account's usage changed.
  void used_changed(AccountId account);
  /// Ends the streams of clients that have lost the right to their events. Also discards the events
  /// kept for clients that did not reconnect in time. Call it every second, never concurrently.
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
  const std::string run_;  ///< A random prefix of this process's feed ids.
  AccessRecheck access_recheck_;
  mutable std::mutex mutex_;
  std::multimap<AccountId, Subscription> subscriptions_;
  unsigned checks_ = 0;  ///< Counts the calls of `check_rights`.
};

}  // namespace coffer::core
