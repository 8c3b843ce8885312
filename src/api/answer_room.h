#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"
#include "http/message.h"

namespace coffer::api {

/// Limits the memory of answers that are being sent, in total and for each holder. A holder is an
/// account, or all guests of an account's share links together. Safe from any thread.
class AnswerRoom {
  struct State;

 public:
  /// Answers of at most this size are not counted by `hold`.
  static constexpr std::uint64_t kSmallBytes = 16 * 1024;

  /// `most_bytes` is the limit for all holders together, `most_bytes_of_holder` the limit for each
  /// holder. A holder's only counted answer may exceed both limits, so that an answer larger than a
  /// limit can be sent, too.
  AnswerRoom(std::uint64_t most_bytes, std::uint64_t most_bytes_of_holder);

  /// The memory reserved for one answer; the destructor releases it. Not thread-safe.
  class Share {
   public:
    Share(std::shared_ptr<State> state, std::string holder);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Reserves more bytes and returns true. If they exceed a limit and the holder has another
    /// counted answer, reserves nothing and returns false.
    bool grow(std::uint64_t bytes);

   private:
    const std::shared_ptr<State> state_;
    const std::string holder_;
    std::uint64_t bytes_ = 0;
  };
  /// Returns a share for a new answer of this holder. No bytes are reserved yet.
  std::shared_ptr<Share> begin(std::string holder) const;

  /// Reserves memory for the body until the response has been sent. Does nothing if the body is not
  /// a string, or has at most `kSmallBytes`. Returns `overloaded` if `Share::grow` returns false.
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

/// Returns the `overloaded` error for an answer whose `Share::grow` returned false.
std::unexpected<Error> no_answer_room();

}  // namespace coffer::api
