#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace coffer::http {

/// The figures of one request and its answer.
struct RequestFigures {
  std::string_view method;   ///< Of RFC 9110; `other` for an unknown one.
  std::string_view pattern;  ///< Of its route; empty where it had none.
  unsigned status = 0;
  std::chrono::steady_clock::duration took{};  ///< From its head to the last byte of the answer.
  std::uint64_t received_bytes = 0;            ///< Of its body.
  std::uint64_t sent_bytes = 0;                ///< Heads too.
};

/// Is called at the end of every request.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  /// Called by any thread; must not block.
  virtual void note(const RequestFigures& figures) = 0;
};

}  // namespace coffer::http
