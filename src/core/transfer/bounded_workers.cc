#include "core/transfer/bounded_workers.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>
#include <vector>

#include "async/suspend.h"

namespace coffer::core {
namespace {

class BoundedWorkers {
 public:
  explicit BoundedWorkers(WorkSource& work) : work_(work) {}

  void start(const asio::any_io_executor& executor, std::size_t width, Resume done) {
    done_ = std::move(done);
    present_ = width;
    for (std::size_t i = 0; i < width; ++i) {
      asio::co_spawn(executor, serve(),
                     [this](const std::exception_ptr& thrown) { leave(thrown); });
    }
  }

  const std::exception_ptr& error() const { return error_; }

 private:
  Task<void> serve();
  Task<void> rest();
  void wake();
  void leave(const std::exception_ptr& thrown);

  WorkSource& work_;
  Resume done_;
  std::size_t present_ = 0;
  std::size_t busy_ = 0;
  std::vector<Resume> resting_;
  std::exception_ptr error_;
};

Task<void> BoundedWorkers::serve() {
  for (;;) {
    std::optional<Task<void>> piece;
    if (!error_) piece = work_.take();
    if (!piece && busy_ == 0) co_return;
    if (!piece) {
      co_await rest();
      continue;
    }
    ++busy_;
    try {
      co_await std::move(*piece);
    } catch (...) {
      error_ = std::current_exception();
    }
    --busy_;
    wake();
  }
}

Task<void> BoundedWorkers::rest() {
  auto park = [this](Resume resume) { resting_.push_back(std::move(resume)); };
  co_await suspend(std::move(park));
}

void BoundedWorkers::wake() {
  for (Resume& resume : std::exchange(resting_, {})) resume();
}

void BoundedWorkers::leave(const std::exception_ptr& thrown) {
  if (thrown) error_ = thrown;
  if (--present_ == 0) done_();
}

}  // namespace

Task<void> do_work(WorkSource& work, std::size_t width) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  BoundedWorkers crew(work);
  auto start = [&](Resume resume) { crew.start(executor, width, std::move(resume)); };
  co_await suspend(std::move(start));
  if (crew.error()) std::rethrow_exception(crew.error());
}

}  // namespace coffer::core
