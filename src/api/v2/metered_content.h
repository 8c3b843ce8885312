#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "async/task.h"
#include "base/error.h"
#include "http/message.h"

namespace coffer::api::v2 {

/// A content of which each byte is charged before it is sent. Gives no descriptor and reads nothing
/// at once, so that all bytes come by `read`, in pieces that are small for the content: what is
/// charged and never sent, because the client left, is little.
class MeteredContent final : public http::Content {
 public:
  /// Returns the error that the reading of so many bytes fails with, if they are not given.
  using Charge = std::function<Task<Result<void>>(std::uint64_t bytes)>;

  MeteredContent(std::shared_ptr<http::Content> content, std::uint64_t size_bytes, Charge charge)
      : content_(std::move(content)), size_bytes_(size_bytes), charge_(std::move(charge)) {}

  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t, std::span<std::byte>) override {
    return std::nullopt;
  }
  std::optional<int> descriptor() const override { return std::nullopt; }
  Task<void> prefetch(std::uint64_t, std::uint64_t) override { co_return; }
  Task<Result<void>> may_go_on() override { return content_->may_go_on(); }

 private:
  const std::shared_ptr<http::Content> content_;
  const std::uint64_t size_bytes_;
  const Charge charge_;
};

}  // namespace coffer::api::v2
