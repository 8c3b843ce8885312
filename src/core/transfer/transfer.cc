#include "core/transfer/transfer.h"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

#include "async/suspend.h"
#include "core/transfer/transfer_job.h"

namespace coffer::core {
namespace {

/// Runs `work` where no cancellation of the awaiter ends it half-way: it is asked to stop instead,
/// and can still remove what it made.
Task<Result<storage::TreeSize>> shielded(Task<Result<storage::TreeSize>> work,
                                         TransferProgress& progress) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
  std::exception_ptr error;
  Result<storage::TreeSize> result;
  auto start = [&](Resume resume) {
    auto end = [&error, &result, resume = std::move(resume)](
                   std::exception_ptr thrown, Result<storage::TreeSize> returned) mutable {
      error = std::move(thrown);
      result = std::move(returned);
      resume();
    };
    auto slot = state.slot();
    if (slot.is_connected()) slot.assign([&progress](auto /*type*/) { progress.cancel(); });
    asio::co_spawn(executor, std::move(work), std::move(end));
  };
  co_await suspend(std::move(start));
  if (error) std::rethrow_exception(error);
  co_return result;
}

}  // namespace

Task<Result<storage::TreeSize>> transfer(TransferEnd from, TransferEnd to, TransferOptions options,
                                         TransferProgress& progress) {
  TransferJob running(std::move(from), std::move(to), std::move(options), progress, false);
  co_return co_await shielded(running.run(), progress);
}

Task<Result<storage::TreeSize>> transfer_move(TransferEnd from, TransferEnd to,
                                              TransferOptions options, TransferProgress& progress) {
  TransferJob running(std::move(from), std::move(to), std::move(options), progress, true);
  co_return co_await shielded(running.run(), progress);
}

}  // namespace coffer::core
