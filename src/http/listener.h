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

/// Listens at `endpoint` together with other sockets of this server (SO_REUSEPORT). The `first` one
/// requires that no other server has the port, and takes a free one for port 0. `failed` with the
/// address and the reason if it cannot be bound.
Result<Acceptor> listen_at(asio::io_context& context, const asio::ip::tcp::endpoint& endpoint,
                           bool first);

/// Listens at a Unix socket that only this process's user and root can open (0600). Replaces an old
/// socket, but no other file and no link. The path may have any length. `failed` with the reason if
/// the socket cannot be bound.
Result<Acceptor> listen_at(asio::io_context& context, const std::filesystem::path& socket);

/// Returns the address of a TCP connection's peer; nullopt if it is gone.
std::optional<std::string> peer_address(const Socket& socket);
/// True if the process at the other end of a Unix socket is root's or of this process's user, as
/// the kernel noted when it connected (SO_PEERCRED, unix(7)).
bool is_own_peer(Socket& socket);

}  // namespace coffer::http
