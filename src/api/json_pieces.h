#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "http/response.h"

namespace coffer::api {

/// A body that was made in pieces, which are let go of as they are sent: to be read from its start
/// to its end, once.
class JsonPieces final : public http::Content {
 public:
  void add(std::string piece);
  std::uint64_t size_bytes() const { return size_bytes_; }

  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<int> descriptor() const override { return std::nullopt; }
  Task<void> prefetch(std::uint64_t offset, std::uint64_t length) override;

 private:
  std::deque<std::string> pieces_;
  std::uint64_t first_offset_ = 0;  ///< Of the first piece that is still there.
  std::uint64_t size_bytes_ = 0;
};

}  // namespace coffer::api
