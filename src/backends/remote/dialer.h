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

/// Opens TCP connections to hosts. Each name is resolved on a thread of its own, so a slow name
/// server blocks neither the executor nor the destructor. The executor must run on a single thread.
/// The dialer must be used only on that thread, and destroyed before the executor's context.
class Dialer {
 public:
  Dialer(asio::any_io_executor executor, storage::MayConnect may_connect);
  ~Dialer();
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  /// Tries the addresses of the host that `may_connect` allows, and returns the first connection
  /// that succeeds. `limit` is the time limit for the whole call. Error messages are not meant for
  /// users. The errors are:
  /// - `not_found` if the name is unknown
  /// - `forbidden` if no address is allowed
  /// - `unavailable` if no allowed address can be reached
  /// - `timed_out` if the limit has passed
  /// - `refused` if too many names are being resolved
  /// - the error of lack_of, or `failed`, if this machine cannot open a socket
  Task<Result<asio::ip::tcp::socket>> connect(std::string host, std::uint16_t port,
                                              std::chrono::steady_clock::duration limit);

 private:
  using Endpoints = std::vector<asio::ip::tcp::endpoint>;
  struct Answer;
  struct Line;

  /// Returns the addresses of the host, at least one, in the order in which to try them.
  Task<Result<Endpoints>> look_up(std::string host, std::uint16_t port,
                                  std::chrono::steady_clock::duration limit);
  static void answer(const std::shared_ptr<Line>& line, const std::weak_ptr<Answer>& waiting,
                     const std::string& host, std::uint16_t port);

  const storage::MayConnect may_connect_;
  std::shared_ptr<Line> line_;  ///< Shared with the threads that resolve names.
};

}  // namespace coffer::remote
