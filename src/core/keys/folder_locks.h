#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/place_locks.h"

namespace coffer::core {

/// Shared and exclusive locks (see FolderChanges), so that no other change runs in the same place
/// as a change that concerns keys. A place is an account's own files, a share or a connector. A
/// change that concerns keys needs an exclusive lock of its places; other changes need a shared
/// lock. Each place is locked in the order in which it was asked for. Where several servers share
/// the catalog, the locks hold for all of them. Safe from any thread.
class FolderLocks {
  class Table;

 public:
  using Mode = catalog::PlaceLocks::Mode;

  /// `of_servers` must outlive this object.
  explicit FolderLocks(catalog::PlaceLocks& of_servers) : of_servers_(of_servers) {}

  /// Locks one or more places until this object is released or destroyed.
  class Lock {
   public:
    void release() {
      of_servers_ = {};
      state_.reset();
    }

   private:
    friend FolderLocks;
    struct State {
      std::shared_ptr<Table> table;
      std::set<std::string> places;
      Mode mode;
    };
    struct Unlock {
      void operator()(State* state) const;
    };
    explicit Lock(State state) : state_(new State(std::move(state))) {}
    std::unique_ptr<State, Unlock> state_;
    catalog::PlaceLocks::Hold of_servers_;  ///< Ends first.
  };

  /// Waits until all `places` can be locked in this mode, and locks all of them at once. `unready`
  /// if another server keeps a place too long, or the catalog does not answer. A caller that
  /// already holds a lock must not call this function: it could wait for itself forever.
  Task<Result<Lock>> acquire(std::set<std::string> places, Mode mode);

 private:
  struct Request {
    std::set<std::string> places;
    Mode mode;
    Resume resume;
  };
  /// The locked places, and who waits. Each Lock is a shared owner of the table.
  class Table {
   public:
    /// Resumes the request when its places are locked for it, which may be at once.
    void lock(Request request);
    void unlock(const std::set<std::string>& places, Mode mode);

   private:
    struct Use {
      int shared = 0;
      bool exclusive = false;
    };
    using Awaited = std::map<std::string, Mode, std::less<>>;
    template <class Change>
    void serve(Change change);
    bool try_grant(const Request& request, Awaited& awaited);

    std::mutex mutex_;
    std::map<std::string, Use, std::less<>> uses_;
    std::list<Request> waiting_;  ///< In the order of arrival.
  };

  catalog::PlaceLocks& of_servers_;
  const std::shared_ptr<Table> table_ = std::make_shared<Table>();
};

}  // namespace coffer::core
