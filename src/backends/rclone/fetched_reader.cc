#include "backends/rclone/fetched_reader.h"

#include "async/deadline.h"
#include "backends/rclone/engine/content_request.h"

namespace coffer::rclone {
namespace {

std::unexpected<Error> not_fetched() {
  return fail(ErrorCode::unavailable,
              "The engine of cloud drives does not hold the file any more.");
}

}  // namespace

Task<Result<std::size_t>> FetchedReader::read(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= entry_.size_bytes || out.empty()) co_return std::size_t{0};
  auto reading = read_some(offset, out);
  const auto got =
      co_await with_deadline(std::move(reading), files_->remote().options.deadlines.stall,
                             "The engine of cloud drives does not answer in time.");
  if (!got || *got == 0) {
    talk_.reset();
    co_return not_fetched();
  }
  position_ = offset + *got;
  co_return *got;
}

Task<Result<std::size_t>> FetchedReader::read_some(std::uint64_t offset, std::span<std::byte> out) {
  if (!talk_ || offset != position_) {
    auto begun = co_await begin_at(offset);
    if (!begun) co_return failure_of(std::move(begun));
  }
  co_return co_await talk_->read_some(out);
}

Task<Result<void>> FetchedReader::begin_at(std::uint64_t offset) {
  constexpr unsigned kWhole = 200;
  constexpr unsigned kPart = 206;
  talk_ = std::make_unique<HttpExchange>();
  auto request = content_request(files_->fs(), entry_.name, offset);
  auto begun = co_await talk_->begin(files_->run(), std::move(request));
  if (!begun) co_return begun;
  const bool is_content = talk_->status() == (offset > 0 ? kPart : kWhole) &&
                          talk_->body_bytes() == entry_.size_bytes - offset;
  if (!is_content) co_return not_fetched();
  co_return Result<void>{};
}

}  // namespace coffer::rclone
