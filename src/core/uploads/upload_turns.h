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

/// Serializes the requests for an upload. A later request interrupts an earlier one that waits for
/// its client, since a client whose connection broke returns long before the server notices the
/// break; an earlier request never interrupts a later one. Safe from any thread.
class UploadTurns {
 public:
  /// Makes the current request stop waiting for its client. Called from any thread while the turn
  /// lasts, possibly more than once; it must not block.
  using Interrupt = std::function<void()>;

  /// A turn, which ends when this is destroyed. It must not outlive the UploadTurns.
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

  /// Waits for the turn; nullopt if the current request did not end in time.
  Task<std::optional<Turn>> take(UploadId id, Interrupt interrupt,
                                 std::chrono::steady_clock::duration patience);
  /// Returns nullopt, without an interruption, if another request has the turn.
  std::optional<Turn> take_now(const UploadId& id);

 private:
  using TimerPtr = std::shared_ptr<asio::steady_timer>;
  struct Use {
    std::uint64_t number = 0;  ///< In the order of arrival.
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
