#pragma once

#include <memory>
#include <string_view>

#include "http/message.h"

namespace coffer::http {

/// A content that lies in memory and is sent from there, without a copy. Safe from any thread.
class MemoryContent final : public Content {
 public:
  /// `owner` keeps `bytes` alive; null if they live as long as the program.
  explicit MemoryContent(std::string_view bytes, std::shared_ptr<const void> owner = nullptr)
      : bytes_(bytes), owner_(std::move(owner)) {}

  std::optional<std::string_view> bytes() const override { return bytes_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<int> descriptor() const override { return std::nullopt; }
  Task<void> prefetch(std::uint64_t offset, std::uint64_t length) override;

 private:
  const std::string_view bytes_;
  const std::shared_ptr<const void> owner_;
};

/// Returns a body of all of these bytes. `owner` is that of the MemoryContent.
ContentBody body_of(std::string_view bytes, std::shared_ptr<const void> owner = nullptr);

}  // namespace coffer::http
