#include "api/answer_memory.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace coffer::api {
namespace {

/// The most that a reader of a file on another server reads ahead.
constexpr std::uint64_t kMostAheadBytes = 2 * 1024 * 1024;
/// The two buffers of the sender.
constexpr std::uint64_t kBufferBytes = 2 * 256 * 1024;

Result<void> hold(const MemoryRoom& room, MemoryHolder holder, std::uint64_t bytes,
                  http::Response& response) {
  auto hold = room.begin(std::move(holder));
  TRY_VOID(hold.grow(bytes));
  keep_until_sent(std::move(hold), response);
  return {};
}

}  // namespace

Result<void> hold_text(const MemoryRoom& room, MemoryHolder holder, http::Response& response) {
  const auto* const body = std::get_if<std::string>(&response.body);
  if (!body || body->size() <= kSmallAnswerBytes) return {};
  return hold(room, std::move(holder), body->size(), response);
}

Result<void> hold_buffers(const MemoryRoom& room, MemoryHolder holder, http::Response& response) {
  const auto* const body = std::get_if<http::ContentBody>(&response.body);
  if (!body || body->content->descriptor()) return {};
  const std::uint64_t length = response.content_length().value_or(0);
  if (length <= kSmallAnswerBytes) return {};
  const std::uint64_t bytes = std::min(length, kMostAheadBytes) + std::min(length, kBufferBytes);
  return hold(room, std::move(holder), bytes, response);
}

void keep_until_sent(MemoryRoom::Hold hold, http::Response& response) {
  response.held = std::make_shared<MemoryRoom::Hold>(std::move(hold));
}

}  // namespace coffer::api
