#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coffer {

namespace asio = boost::asio;

/// A coroutine. It starts when it is awaited, which happens at most once, and runs on the executor
/// of the awaiting coroutine. T (a Result) includes the expected failures. An exception means that
/// something is broken.
template <class T>
using Task = asio::awaitable<T>;

}  // namespace coffer
