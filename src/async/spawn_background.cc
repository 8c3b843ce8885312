#include "async/spawn_background.h"

#include <boost/asio/co_spawn.hpp>
#include <utility>

#include "base/log.h"

namespace coffer {

void spawn_background(const asio::any_io_executor& executor, Task<void> task) {
  asio::co_spawn(executor, std::move(task), &log_broken_task);
}

void log_broken_task(const std::exception_ptr& thrown) {
  if (!thrown) return;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    spdlog::error("a background task broke: {}", error.what());
  }
}

}  // namespace coffer
