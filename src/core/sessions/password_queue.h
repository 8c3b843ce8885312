#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// The party for which a password is hashed. Each holder has one share of the PasswordQueue.
struct PasswordAsker {
  std::string holder;     ///< `account ID`, `address NETWORK`, or `command`.
  bool is_known = false;  ///< An authenticated caller, the command line, or a known device.

  /// The authenticated caller of a request, or the command line.
  static PasswordAsker of(const Principal& principal);
  /// A device that the account knows (see KnownDevice).
  static PasswordAsker of(AccountId account);
  static PasswordAsker command();
  /// A stranger at an IPv4 or IPv6 address. All addresses of an IPv6 /64 are one holder.
  static PasswordAsker at(std::string_view address);
};

/// A password to be set, and who sets it.
struct NewPassword {
  std::string text;
  PasswordAsker asker;

  /// `invalid` unless the password has 8 to 1024 bytes.
  Result<void> check() const;
};

/// The one queue for all hashing of passwords, which takes 64 MiB and tens of milliseconds each
/// time (Argon2id). One thread works for known askers and one for strangers, so that strangers
/// never delay known askers. Within each kind the holders take turns, with one password at a time.
/// Safe from any thread. Must outlive its places and their tasks.
class PasswordQueue {
 public:
  static constexpr std::size_t kMostOfHolder = 64;
  /// Each takes about a tenth of a second: who has a place waits for some seconds at most, also
  /// behind strangers who have left.
  static constexpr std::size_t kMostOfKind = 128;

 private:
  struct Holder {
    explicit Holder(SharedThreads& threads) : pool(threads, 1) {}
    Pool pool;
    std::size_t places = 0;
  };
  using Holders = std::map<std::string, std::unique_ptr<Holder>, std::less<>>;
  struct Kind {
    Holders holders;  ///< Outlives `threads`.
    std::size_t places = 0;
    SharedThreads threads{1};
  };

 public:
  /// One place of a holder. Its destructor gives it back. Must outlive its tasks.
  class Place {
   public:
    Place(Place&& other) noexcept
        : queue_(std::exchange(other.queue_, nullptr)),
          kind_(other.kind_),
          holder_(other.holder_) {}
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (queue_) queue_->leave(*kind_, holder_);
    }

    /// Returns the hash of a password; `failed` if there is not enough memory.
    Task<Result<std::string>> hash(std::string password);
    /// Returns true if `hash` is the hash of `password`. An empty hash matches no password, after
    /// the same time.
    Task<bool> matches(std::string password, std::string hash);
    /// Runs `work`, which hashes or checks a password, when the holder's turn comes.
    template <class F>
    Task<std::invoke_result_t<F>> run(F work) {
      co_return co_await holder_->second->pool.run(std::move(work));
    }

   private:
    friend class PasswordQueue;
    Place(PasswordQueue& queue, Kind& kind, Holders::iterator holder)
        : queue_(&queue), kind_(&kind), holder_(holder) {}

    PasswordQueue* queue_;
    Kind* kind_;
    Holders::iterator holder_;
  };

  /// Returns a place; does not wait. `rate_limited` if the holder has kMostOfHolder places,
  /// `overloaded` if all holders of its kind together have kMostOfKind.
  Result<Place> enter(const PasswordAsker& asker);

 private:
  void leave(Kind& kind, Holders::iterator holder);

  std::mutex mutex_;
  Kind known_;
  Kind strangers_;
};

}  // namespace coffer::core
