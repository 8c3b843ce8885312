#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coffer {

namespace asio = boost::asio;

/// A coroutine. It is awaited once, starts then, and runs on the executor of the coroutine that
/// awaits it. Expected failures are in T (a Result); an exception means that something is broken.
template <class T>
using Task = asio::awaitable<T>;

}  // namespace coffer
