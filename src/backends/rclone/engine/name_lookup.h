#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"

namespace coffer::rclone {

/// Asks the system for the addresses of names, without holding a thread of its context or waiting
/// for a name server at the end. Used on the context's one thread.
class NameLookup {
 public:
  using Endpoints = std::vector<asio::ip::tcp::endpoint>;

  explicit NameLookup(asio::io_context& context);
  /// The context does not run any more, but is still there.
  ~NameLookup();
  NameLookup(const NameLookup&) = delete;
  NameLookup& operator=(const NameLookup&) = delete;

  /// At least one, in the order in which they are to be tried. `unavailable` for a name that is not
  /// known, `timed_out` after `limit`, `refused` while too many others are asked for.
  Task<Result<Endpoints>> ask(std::string host, std::uint16_t port,
                              std::chrono::steady_clock::duration limit);

 private:
  struct Answer;
  struct Line;
  static void answer(const std::shared_ptr<Line>& line, const std::weak_ptr<Answer>& waiting,
                     const std::string& host, std::uint16_t port);

  std::shared_ptr<Line> line_;  ///< Shared with the threads that ask.
};

}  // namespace coffer::rclone
