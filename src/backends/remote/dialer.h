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

/// Opens TCP connections to hosts by their names. Resolving a name occupies no thread of the
/// executor, and the destructor does not wait for name servers. A dialer is used on the executor's
/// one thread, and must be destroyed before the executor's context.
class Dialer {
 public:
  Dialer(asio::any_io_executor executor, storage::MayConnect may_connect);
  ~Dialer();
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  /// Connects to the first address of the host that is allowed and answers. `limit` is for the
  /// whole call. The messages of its errors are not meant for users. Fails with the error of
  /// lack_of if this machine lacks something, and with:
  /// - `not_found` if the name is unknown
  /// - `forbidden` if none of the addresses is allowed
  /// - `unavailable` if none of them can be reached
  /// - `timed_out` if the limit has passed
  /// - `refused` if too many names are being resolved
  Task<Result<asio::ip::tcp::socket>> connect(std::string host, std::uint16_t port,
                                              std::chrono::steady_clock::duration limit);

 private:
  using Endpoints = std::vector<asio::ip::tcp::endpoint>;
  struct Answer;
  struct Line;

  /// Returns the host's addresses, at least one, in the order in which they are tried.
  Task<Result<Endpoints>> look_up(std::string host, std::uint16_t port,
                                  std::chrono::steady_clock::duration limit);
  static void answer(const std::shared_ptr<Line>& line, const std::weak_ptr<Answer>& waiting,
                     const std::string& host, std::uint16_t port);

  const storage::MayConnect may_connect_;
  std::shared_ptr<Line> line_;  ///< Shared with the threads that resolve names.
};

}  // namespace coffer::remote
