#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coffer {

namespace asio = boost::asio;

/// A coroutine's work: starts when it is awaited, runs on its awaiter's executor, and is awaited
/// once. Expected failures are in T (a Result); an exception means that something is broken.
template <class T>
using Task = asio::awaitable<T>;

}  // namespace coffer
