#include "http/listener.h"

#include <fmt/format.h>
#include <sys/socket.h>

namespace coffer::http {
namespace {

using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

/// Throws what the system refuses.
void open(Acceptor& acceptor, const asio::ip::tcp::endpoint& endpoint, bool first) {
  acceptor.open(endpoint.protocol());
  acceptor.set_option(asio::socket_base::reuse_address(true));
  // The first socket asks for the sharing only once it has the port, so that it does not slip in
  // beside another process that shares it too.
  if (!first) acceptor.set_option(ReusePort(true));
  acceptor.bind(endpoint);
  if (first) acceptor.set_option(ReusePort(true));
  acceptor.listen();
}

}  // namespace

Result<Acceptor> listen_at(asio::io_context& context, const asio::ip::tcp::endpoint& endpoint,
                           bool first) {
  Acceptor acceptor(context.get_executor());
  try {
    open(acceptor, endpoint, first);
  } catch (const boost::system::system_error& error) {
    return fail(ErrorCode::failed,
                fmt::format("Cannot listen at {} port {}: {}.", endpoint.address().to_string(),
                            endpoint.port(), error.code().message()));
  }
  return acceptor;
}

}  // namespace coffer::http
