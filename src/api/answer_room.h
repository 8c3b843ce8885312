#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"
#include "http/message.h"

namespace coffer::api {

/// Limits the memory of complete answers that wait for slow clients. A holder is an account, or all
/// guests of an account. Safe from any thread.
class AnswerRoom {
  struct State;

 public:
  /// `hold` does not count answers of at most this size.
  static constexpr std::uint64_t kSmallBytes = 16 * 1024;

  /// Sets the limits for all holders together and for each holder. The only answer of a holder may
  /// have any size, so that an answer above the limits can be sent at all.
  AnswerRoom(std::uint64_t most_bytes, std::uint64_t most_bytes_of_holder);

  /// The reserved memory of one answer. The destructor releases it. Used by one thread at a time.
  class Share {
   public:
    Share(std::shared_ptr<State> state, std::string holder);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Reserves more bytes. Returns false, without reserving any, if they would exceed a limit.
    bool grow(std::uint64_t bytes);

   private:
    const std::shared_ptr<State> state_;
    const std::string holder_;
    std::uint64_t bytes_ = 0;
  };
  /// Returns an empty share for a new answer of this holder.
  std::shared_ptr<Share> begin(std::string holder) const;

  /// Reserves the memory of the response if its body is a text, until the response was sent.
  /// `overloaded` if a limit would be exceeded.
  Result<void> hold(std::string holder, http::Response& response) const;

 private:
  struct State {
    const std::uint64_t most;
    const std::uint64_t most_of_holder;
    std::mutex mutex;
    std::uint64_t taken = 0;
    std::map<std::string, std::uint64_t> taken_by;
  };
  const std::shared_ptr<State> state_;
};

/// Returns the `overloaded` error for an answer that would exceed a limit.
std::unexpected<Error> no_answer_room();

}  // namespace coffer::api
