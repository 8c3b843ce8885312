#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::remote {

/// Connects to hosts by their names, without occupying a thread of its executor, and without
/// waiting for a name server when it is destroyed. Used on the executor's one thread, and destroyed
/// while its context exists.
class Dialer {
 public:
  Dialer(asio::any_io_executor executor, storage::MayConnect may_connect);
  ~Dialer();
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  /// Connects to the first of the name's addresses that may be connected to and answers, all within
  /// `limit`. `not_found` for an unknown name, `forbidden` if none of its addresses may be
  /// connected to, `unavailable` if none can be reached, `timed_out`, `refused` while too many
  /// names are being resolved; else what this machine lacks. The messages are for programmers.
  Task<Result<asio::ip::tcp::socket>> connect(std::string host, std::uint16_t port,
                                              std::chrono::steady_clock::duration limit);

 private:
  using Endpoints = std::vector<asio::ip::tcp::endpoint>;
  struct Answer;
  struct Line;

  /// Returns at least one, in the order in which they are to be tried.
  Task<Result<Endpoints>> look_up(std::string host, std::uint16_t port,
                                  std::chrono::steady_clock::duration limit);
  static void answer(const std::shared_ptr<Line>& line, const std::weak_ptr<Answer>& waiting,
                     const std::string& host, std::uint16_t port);

  const storage::MayConnect may_connect_;
  std::shared_ptr<Line> line_;  ///< Shared with the threads that resolve names.
};

}  // namespace coffer::remote
