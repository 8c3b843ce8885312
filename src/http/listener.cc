#include "http/listener.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace coffer::http {
namespace {

using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

/// Throws a system_error.
void open(Acceptor& acceptor, const asio::ip::tcp::endpoint& endpoint, bool first) {
  acceptor.open(endpoint.protocol());
  acceptor.set_option(asio::socket_base::reuse_address(true));
  // The first socket shares the port only after it has bound it, so that it fails if another
  // process shares the same port.
  if (!first) acceptor.set_option(ReusePort(true));
  acceptor.bind(endpoint);
  if (first) acceptor.set_option(ReusePort(true));
  acceptor.listen();
}

[[noreturn]] void throw_errno() {
  throw boost::system::system_error(errno, boost::system::system_category());
}

/// A folder in which sockets can be bound by a path of any length: the address of a socket has at
/// most 107 bytes (unix(7)), so it names the folder's descriptor.
class SocketFolder {
 public:
  /// Throws a system_error if the folder cannot be opened.
  explicit SocketFolder(const std::filesystem::path& folder)
      : folder_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ < 0) throw_errno();
  }
  ~SocketFolder() { ::close(folder_); }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;

  asio::local::stream_protocol::endpoint endpoint_of(const std::filesystem::path& name) const {
    return {fmt::format("/proc/self/fd/{}/{}", folder_, name.string())};
  }

 private:
  const int folder_;
};

/// Throws a system_error.
void open(Acceptor& acceptor, const std::filesystem::path& socket) {
  const SocketFolder folder(socket.parent_path());
  const auto endpoint = folder.endpoint_of(socket.filename());
  acceptor.open(endpoint.protocol());
  // The file gets the mode that the socket has when it is bound: it is never open to others.
  if (::fchmod(acceptor.native_handle(), S_IRUSR | S_IWUSR) != 0) throw_errno();
  std::error_code ignored;  // Binding then fails, as it does if the name is a link or another file.
  if (std::filesystem::symlink_status(socket, ignored).type() ==
      std::filesystem::file_type::socket) {
    std::filesystem::remove(socket, ignored);
  }
  acceptor.bind(endpoint);
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

Result<Acceptor> listen_at(asio::io_context& context, const std::filesystem::path& socket) {
  Acceptor acceptor(context.get_executor());
  try {
    open(acceptor, socket);
  } catch (const boost::system::system_error& error) {
    return fail(ErrorCode::failed, fmt::format("Cannot listen at the socket {}: {}.",
                                               socket.string(), error.code().message()));
  }
  return acceptor;
}

std::optional<std::string> peer_address(const Socket& socket) {
  boost::system::error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return std::nullopt;
  asio::ip::tcp::endpoint endpoint;
  if (peer.size() > endpoint.capacity()) return std::nullopt;
  std::memcpy(endpoint.data(), peer.data(), peer.size());
  return endpoint.address().to_string();
}

bool is_own_peer(Socket& socket) {
  ::ucred peer{};
  ::socklen_t size = sizeof peer;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return false;
  return peer.uid == 0 || peer.uid == ::geteuid();
}

}  // namespace coffer::http
