#include "async/pool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <system_error>
#include <utility>

namespace coffer {
namespace {

constexpr int kLowNice = 10;

/// Of the calling thread. Failing to is harmless.
void lower_priority() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLowNice);
}

}  // namespace

SharedThreads::SharedThreads(std::size_t most, Priority priority)
    : most_(most), priority_(priority) {
  begin_thread();
}

// While there is work, its threads may add others.
SharedThreads::~SharedThreads() {
  stays_.reset();
  for (std::size_t index = 0;; ++index) {
    std::thread ending;
    {
      const std::lock_guard lock(mutex_);
      if (index == threads_.size()) return;
      ending = std::move(threads_[index]);
    }
    ending.join();
  }
}

void SharedThreads::begin_thread() {
  threads_.emplace_back([this] {
    if (priority_ == Priority::low) lower_priority();
    context_.run();
  });
}

/// So that what comes next, a timer's handler too, need not wait for what runs now.
void SharedThreads::keep_one_idle() {
  if (load_.running < threads_.size() || threads_.size() == most_) return;
  try {
    begin_thread();
  } catch (const std::system_error&) {
    // Those that there are do it later.
  }
}

void SharedThreads::post(const std::shared_ptr<Queue>& queue, Call call) {
  {
    const std::lock_guard lock(mutex_);
    queue->waiting.push_back(std::move(call));
    ++load_.waiting;
    line_up(queue);
  }
  asio::post(context_, [this] { run_next(); });
}

// This is posted for each call, and runs one, or none where all that wait belong to queues which
// have their share: then the end of a call of theirs posts it again.
void SharedThreads::run_next() {
  std::shared_ptr<Queue> queue;
  Call call;
  {
    const std::lock_guard lock(mutex_);
    if (ready_.empty()) return;
    queue = std::move(ready_.front());
    ready_.pop_front();
    queue->is_ready = false;
    call = std::move(queue->waiting.front());
    queue->waiting.pop_front();
    ++queue->running;
    --load_.waiting;
    ++load_.running;
    line_up(queue);
    keep_one_idle();
  }
  call();
  call = nullptr;
  const std::lock_guard lock(mutex_);
  --queue->running;
  --load_.running;
  line_up(queue);
  if (!queue->waiting.empty()) asio::post(context_, [this] { run_next(); });
}

SharedThreads::Load SharedThreads::load() const {
  const std::lock_guard lock(mutex_);
  return load_;
}

void SharedThreads::line_up(const std::shared_ptr<Queue>& queue) {
  if (queue->is_ready || queue->waiting.empty() || queue->running >= queue->most) return;
  queue->is_ready = true;
  ready_.push_back(queue);
}

Pool::Pool(std::size_t threads)
    : own_(std::make_unique<SharedThreads>(threads)),
      threads_(*own_),
      queue_(std::make_shared<SharedThreads::Queue>(threads)) {}

Pool::Pool(SharedThreads& threads, std::size_t most)
    : threads_(threads), queue_(std::make_shared<SharedThreads::Queue>(most)) {}

}  // namespace coffer
