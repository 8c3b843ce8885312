#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "async/task.h"
#include "base/error.h"

namespace coffer::http {

using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, asio::io_context::executor_type>;

/// Listens at `endpoint` together with other sockets of this server (SO_REUSEPORT). The `first` one
/// finds the port free of any other server, and takes a free one for port 0. `failed` says which
/// address could not be had and why.
Result<Acceptor> listen_at(asio::io_context& context, const asio::ip::tcp::endpoint& endpoint,
                           bool first);

}  // namespace coffer::http
