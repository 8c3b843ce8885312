#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "async/task.h"
#include "base/id.h"

namespace coffer::core {

/// Serializes the requests for an upload: only the request that has the turn works on the upload. A
/// later request makes it stop waiting for its client, because a client whose connection broke
/// often returns long before the server notices the break. An earlier request never interrupts a
/// later one. Safe from any thread.
class UploadTurns {
 public:
  /// Makes the request that has the turn stop waiting for its client. Called from any thread,
  /// possibly more than once, until the turn ends. It must not block.
  using Interrupt = std::function<void()>;

  /// The turn of a request. It ends with this object, which must not outlive the UploadTurns.
  class Turn {
   private:
    friend class UploadTurns;
    struct Held {
      UploadTurns& turns;
      UploadId id;
    };
    struct Leave {
      void operator()(Held* held) const;
    };
    Turn(UploadTurns& turns, UploadId id) : held_(new Held{turns, std::move(id)}) {}
    std::unique_ptr<Held, Leave> held_;
  };

  /// Waits for the turn and returns it; nullopt if the turn does not become free within `patience`.
  /// If a later request waits while the caller has the turn, `interrupt` is called. An empty
  /// `interrupt` means that the caller cannot be interrupted.
  Task<std::optional<Turn>> take(UploadId id, Interrupt interrupt,
                                 std::chrono::steady_clock::duration patience);
  /// Returns the turn; nullopt if another request has it. Neither waits nor interrupts.
  std::optional<Turn> take_now(const UploadId& id);

 private:
  using TimerPtr = std::shared_ptr<asio::steady_timer>;
  struct Use {
    std::uint64_t number = 0;  ///< A request that asked later has a higher number.
    Interrupt interrupt;
    std::list<TimerPtr> waiting;
  };
  class Waiter;
  void leave(const UploadId& id);

  std::mutex mutex_;
  std::map<UploadId, Use> uses_;
  std::uint64_t last_number_ = 0;
};

}  // namespace coffer::core
