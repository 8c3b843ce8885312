#include "backends/sftp/tcp_connect.h"

#include <fmt/format.h>

#include <boost/system/system_error.hpp>

#include "async/run.h"
#include "backends/remote/dialer.h"
#include "backends/sftp/failure.h"

namespace coffer::sftp {
namespace {

std::unexpected<Error> fail_unconnected(const Error& error, const std::string& host) {
  switch (error.code) {
    case ErrorCode::not_found:
      return fail(ErrorCode::unavailable,
                  fmt::format("The remote server's name is not known: {}.", host));
    case ErrorCode::forbidden:
      return fail(ErrorCode::unavailable,
                  "Connections to the remote server's address are not allowed.");
    case ErrorCode::unavailable:
      return fail(ErrorCode::unavailable, "The remote server cannot be reached.");
    case ErrorCode::timed_out:
      return fail_late();
    default:
      return std::unexpected(error);
  }
}

Task<Result<int>> connect(const std::string& host, std::uint16_t port,
                          std::chrono::milliseconds limit, const storage::MayConnect& may_connect) {
  remote::Dialer dialer(co_await asio::this_coro::executor, may_connect);
  auto socket = co_await dialer.connect(host, port, limit);
  if (!socket) co_return fail_unconnected(socket.error(), host);
  socket->native_non_blocking(true);
  co_return socket->release();
}

}  // namespace

Result<int> tcp_connect(const std::string& host, std::uint16_t port, const TimeLimit& limit,
                        const storage::MayConnect& may_connect) {
  const std::chrono::milliseconds left(limit.left_ms());
  try {
    return run(connect(host, port, left, may_connect));
  } catch (const boost::system::system_error& error) {
    // Waiting takes descriptors too.
    return std::unexpected(lack_of(error.code().value())
                               .value_or(Error{ErrorCode::failed, "No socket could be opened."}));
  }
}

}  // namespace coffer::sftp
