#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"
#include "http/message.h"

namespace coffer::api {

/// Bounds the memory of complete answers that wait for slow clients. Safe from any thread.
class AnswerRoom {
  struct State;

 public:
  /// Smaller answers are not counted.
  static constexpr std::uint64_t kSmallBytes = 16 * 1024;

  /// The bounds for all holders together and for each. A holder's only answer may have any size,
  /// whatever others hold; else an answer above the bound could never be sent.
  AnswerRoom(std::uint64_t most_bytes, std::uint64_t most_bytes_of_holder);

  /// The memory of one answer, released by the destructor. One thread at a time.
  class Share {
   public:
    Share(std::shared_ptr<State> state, std::string holder);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Reserves more bytes; false, without reserving any, if they exceed a bound.
    bool grow(std::uint64_t bytes);

   private:
    const std::shared_ptr<State> state_;
    const std::string holder_;
    std::uint64_t bytes_ = 0;
  };
  std::shared_ptr<Share> begin(std::string holder) const;

  /// Reserves the memory of an answer and ties it to the answer; `overloaded` beyond a bound.
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

std::unexpected<Error> no_answer_room();

}  // namespace coffer::api
