#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "http/message.h"

namespace coffer::http {

/// A body in memory that arrives in the given pieces, for tests of its readers.
class MemoryBody final : public Body {
 public:
  explicit MemoryBody(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}
  /// One piece, so that `length` is known; an empty one is a request without a body.
  explicit MemoryBody(std::string whole) : length_(whole.size()) {
    pieces_.push_back(std::move(whole));
  }
  /// After the pieces, `read` fails with this error instead of ending.
  void fail_at_end(Error error) { error_ = std::move(error); }

  std::optional<std::uint64_t> length() const override { return length_; }

  Task<Result<std::span<const std::byte>>> read() override {
    // Overwrites the returned piece, so that a test finds a view that is kept too long.
    if (next_ > 0) pieces_[next_ - 1].assign(pieces_[next_ - 1].size(), '\xEE');
    while (next_ < pieces_.size() && pieces_[next_].empty()) ++next_;
    if (next_ < pieces_.size()) co_return std::as_bytes(std::span(pieces_[next_++]));
    if (error_) co_return std::unexpected(*error_);
    co_return std::span<const std::byte>();
  }

 private:
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
  std::optional<std::uint64_t> length_;
  std::optional<Error> error_;
};

}  // namespace coffer::http
