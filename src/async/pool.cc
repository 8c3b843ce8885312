#include "async/pool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <system_error>
#include <utility>

namespace coffer {
namespace {

/// Added to the nice value of a thread of low priority.
constexpr int kLowNice = 10;

/// Lowers the calling thread's priority. A failure is harmless.
void lower_priority() {
  const auto thread = static_cast<id_t>(::gettid());
  ::setpriority(PRIO_PROCESS, thread, ::getpriority(PRIO_PROCESS, thread) + kLowNice);
}

}  // namespace

SharedThreads::SharedThreads(std::size_t most, Priority priority)
    : most_(most), priority_(priority) {
  begin_thread();
}

// Running work may add threads until it ends.
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

/// Keeps a thread free, so that new work and timers' handlers do not wait for work that runs.
void SharedThreads::keep_one_idle() {
  if (load_.running < threads_.size() || threads_.size() == most_) return;
  try {
    begin_thread();
  } catch (const std::system_error&) {
    // The existing threads do the work later.
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

// Posted once for each call. Runs one call, or none if all waiting queues use their whole share:
// the end of one of their calls then posts it again.
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

Pool FairThreads::of(std::uint64_t owner) {
  const std::lock_guard lock(mutex_);
  auto& known = queues_[owner];
  auto queue = known.lock();
  if (!queue) {
    queue = std::make_shared<SharedThreads::Queue>(most_of_one_);
    known = queue;
    if (queues_.size() >= next_look_) forget_idle();
  }
  return {threads_, std::move(queue)};
}

void FairThreads::forget_idle() {
  std::erase_if(queues_, [](const auto& one) { return one.second.expired(); });
  next_look_ = std::max<std::size_t>(64, 2 * queues_.size());
}

std::size_t FairThreads::owners() const {
  const std::lock_guard lock(mutex_);
  return queues_.size();
}

}  // namespace coffer
