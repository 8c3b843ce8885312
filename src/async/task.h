#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coffer {

namespace asio = boost::asio;

/// A coroutine. It starts when it is awaited, and runs on the executor of the awaiting coroutine.
/// It can be awaited only once. If it has expected failures, T is a Result. An exception means that
/// something is broken.
template <class T>
using Task = asio::awaitable<T>;

}  // namespace coffer
