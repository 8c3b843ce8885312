#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "async/task.h"

namespace coffer {

/// Runs one task on a new io_context, and returns the task's value or throws its exception. Blocks
/// the calling thread. Use it on the command line, in tests, and on threads of a Pool.
template <class T>
T run(Task<T> task) {
  asio::io_context context(1);
  std::optional<T> value;
  std::exception_ptr error;
  asio::co_spawn(context, std::move(task), [&](std::exception_ptr thrown, T result) {
    error = thrown;
    if (!thrown) value.emplace(std::move(result));
  });
  context.run();
  if (error) std::rethrow_exception(error);
  return std::move(*value);
}
inline void run(Task<void> task) {
  asio::io_context context(1);
  std::exception_ptr error;
  asio::co_spawn(context, std::move(task), [&](std::exception_ptr thrown) { error = thrown; });
  context.run();
  if (error) std::rethrow_exception(error);
}

}  // namespace coffer
