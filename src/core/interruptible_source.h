#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "async/task.h"
#include "base/error.h"
#include "core/upload_reception.h"
#include "core/upload_turns.h"

namespace coffer::core {

/// A source whose reads another request may end, until this is destroyed or `end` was called. For
/// the thread that reads.
class InterruptibleSource {
 public:
  InterruptibleSource(asio::any_io_executor executor, UploadSource& source)
      : executor_(std::move(executor)), current_(std::make_shared<UploadSource*>(&source)) {}
  ~InterruptibleSource() { end(); }
  InterruptibleSource(const InterruptibleSource&) = delete;
  InterruptibleSource& operator=(const InterruptibleSource&) = delete;

  UploadTurns::Interrupt interrupt() const {
    return [executor = executor_, current = current_] {
      asio::post(executor, [current] {
        if (*current) (*current)->interrupt();
      });
    };
  }
  void end() { *current_ = nullptr; }

 private:
  const asio::any_io_executor executor_;
  const std::shared_ptr<UploadSource*> current_;
};

/// Bytes that are read through to their end while other requests may interrupt that.
class GuardedSource final : public UploadSource {
 public:
  GuardedSource(UploadSource& source, InterruptibleSource& interruptible)
      : source_(source), interruptible_(interruptible) {}
  std::optional<std::uint64_t> length() const override { return source_.length(); }
  void interrupt() override { source_.interrupt(); }
  Task<Result<std::span<const std::byte>>> read() override {
    auto data = co_await source_.read();
    if (!data || data->empty()) interruptible_.end();
    co_return data;
  }

 private:
  UploadSource& source_;
  InterruptibleSource& interruptible_;
};

}  // namespace coffer::core
