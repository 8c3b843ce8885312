#include "async/run.h"

namespace coffer {

void run(Task<void> task) {
  asio::io_context context(1);
  std::exception_ptr error;
  asio::co_spawn(context, std::move(task), [&](std::exception_ptr thrown) { error = thrown; });
  context.run();
  if (error) std::rethrow_exception(error);
}

}  // namespace coffer
