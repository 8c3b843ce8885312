#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "http/transport.h"

namespace coffer::http {

using Acceptor =
    asio::basic_socket_acceptor<asio::generic::stream_protocol, asio::io_context::executor_type>;

/// Returns a socket that listens at `endpoint`. All sockets of a server share one port
/// (SO_REUSEPORT). `first` must be true for the first socket: the call then fails if another
/// process uses the port. Port 0 selects a free port. `failed` if the socket cannot be bound.
Result<Acceptor> listen_at(asio::io_context& context, const asio::ip::tcp::endpoint& endpoint,
                           bool first);

/// Returns a Unix socket that listens at this path. Only root and this process's user can connect
/// (mode 0600). Replaces an old socket file. The folder's path may exceed the limit of unix(7).
/// `failed`, with the reason, if the socket cannot be bound, as when the path is a regular file.
Result<Acceptor> listen_at(asio::io_context& context, const std::filesystem::path& socket);

/// Returns the address of a TCP connection's peer; nullopt if the peer has disconnected.
std::optional<std::string> peer_address(const Socket& socket);
/// Returns true if the peer of a Unix socket was a process of root or of this process's user when
/// it connected (SO_PEERCRED, unix(7)).
bool is_own_peer(Socket& socket);

}  // namespace coffer::http
