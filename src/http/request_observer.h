#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace coffer::http {

/// What a request was, and what became of it.
struct RequestFigures {
  std::string_view method;   ///< As RFC 9110 names it; `other` for what is none of those known.
  std::string_view pattern;  ///< Of its route; empty where it had none.
  unsigned status = 0;
  std::chrono::steady_clock::duration took{};  ///< From its head to the last byte of the answer.
  std::uint64_t received_bytes = 0;            ///< Of its body.
  std::uint64_t sent_bytes = 0;                ///< Heads too.
};

/// Hears of every request when it ends.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  /// By any thread, which it must not keep waiting.
  virtual void note(const RequestFigures& figures) = 0;
};

}  // namespace coffer::http
