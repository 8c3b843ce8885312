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

/// Lets one request at a time work on an upload. A later one ends what the one before still waits
/// for, since a client whose connection broke comes again long before the server hears of the
/// break; one that waits longer never ends a later one. Safe from any thread.
class UploadTurns {
 public:
  /// Makes the holder stop waiting for its client. Called from any thread, more than once maybe, as
  /// long as the turn lasts; it must not wait.
  using Interrupt = std::function<void()>;

  /// Lasts until it is destroyed, which must not be after the turns.
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

  /// Nothing if the holder did not end in time.
  Task<std::optional<Turn>> take(UploadId id, Interrupt interrupt,
                                 std::chrono::steady_clock::duration patience);
  /// Nothing if there is a holder, which is left alone.
  std::optional<Turn> take_now(const UploadId& id);

 private:
  using TimerPtr = std::shared_ptr<asio::steady_timer>;
  struct Use {
    std::uint64_t number = 0;  ///< By which those that come are in order.
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
