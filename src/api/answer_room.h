#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"
#include "http/request.h"
#include "http/response.h"

namespace coffer::api {

/// Bounds the memory of answers that are made as a whole and wait to be sent: a client may take its
/// time. Safe from any thread.
class AnswerRoom {
  struct State;

 public:
  /// Answers of up to so many bytes need no room.
  static constexpr std::uint64_t kSmallBytes = 16 * 1024;

  /// For all together and for each holder. A holder's first answer may be of any size: what is
  /// larger than its bound could not be had otherwise, and others never keep it from that.
  AnswerRoom(std::uint64_t most_bytes, std::uint64_t most_bytes_of_holder);

  /// What one answer takes, until it goes; it may outlive the room. One thread at a time.
  class Share {
   public:
    Share(std::shared_ptr<State> state, std::string holder);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// False, and nothing is taken, where so many more bytes are too much.
    bool grow(std::uint64_t bytes);

   private:
    const std::shared_ptr<State> state_;
    const std::string holder_;
    std::uint64_t bytes_ = 0;
  };
  std::shared_ptr<Share> begin(std::string holder) const;

  /// Has an answer whose body is in memory hold what it takes. `overloaded` where it may not.
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
