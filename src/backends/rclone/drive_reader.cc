#include "backends/rclone/drive_reader.h"

#include <string>
#include <utility>

#include "async/deadline.h"
#include "backends/rclone/metadata.h"

namespace coffer::rclone {
namespace {

constexpr unsigned kStatusOk = 200;
constexpr unsigned kPartial = 206;

std::unexpected<Error> fail_changed() {
  return fail(ErrorCode::refused, "The file was changed while it was read.");
}

}  // namespace

std::optional<std::size_t> StreamReader::read_now(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= entry_.size_bytes || out.empty()) return 0;
  if (!exchange_ || offset != position_) return std::nullopt;
  const std::size_t got = exchange_->read_now(out);
  if (got == 0) return std::nullopt;
  position_ += got;
  return got;
}

Task<Result<std::size_t>> StreamReader::read(std::uint64_t offset, std::span<std::byte> out) {
  if (const auto at_once = read_now(offset, out)) co_return *at_once;
  auto reading = read_some(offset, out);
  auto got = co_await with_deadline(std::move(reading), stall_, std::string(too_slow_));
  if (!got) {
    exchange_.reset();
    co_return std::unexpected(explained(std::move(got).error()));
  }
  position_ = offset + *got;
  std::size_t filled = *got;
  // A block that is full is cheaper to pass on than pieces as they come.
  while (filled < out.size()) {
    const auto more = read_now(position_, out.subspan(filled));
    if (!more || *more == 0) break;
    filled += *more;
  }
  co_return filled;
}

Task<Result<std::size_t>> StreamReader::read_some(std::uint64_t offset, std::span<std::byte> out) {
  if (!exchange_ || offset != position_) {
    exchange_.reset();
    auto exchange = std::make_unique<HttpExchange>();
    CO_TRY_VOID(co_await begin_at(offset, *exchange));
    exchange_ = std::move(exchange);
    position_ = offset;
  }
  auto got = co_await exchange_->read_some(out);
  if (got && *got == 0) co_return fail_changed();
  co_return got;
}

/// The stream is certainly of this file only if the file is unchanged after the stream began.
Task<Result<void>> DriveReader::begin_at(std::uint64_t offset, HttpExchange& exchange) {
  CO_TRY(run_, co_await remote_->ready());
  auto request = content_request(remote_->fs(), remote_->place(path_), offset);
  CO_TRY_VOID(co_await exchange.begin(*run_, std::move(request)));
  const unsigned expected = offset > 0 ? kPartial : kStatusOk;
  co_await remote_->note_token(*run_, exchange.status() != expected);
  if (exchange.status() != expected) co_return std::unexpected(co_await exchange.error());
  const auto told = exchange.body_bytes();
  if (!told) co_return fail(ErrorCode::refused, "The drive does not tell how long the file is.");
  if (*told != entry().size_bytes - offset) co_return fail_changed();
  CO_TRY(const auto item, co_await metadata_of(*remote_, path_));
  const auto now = entry_of(item_of(item));
  const bool is_same = !now.is_directory && now.size_bytes == entry().size_bytes &&
                       now.modified_at == entry().modified_at;
  if (!is_same) co_return fail_changed();
  co_return Result<void>{};
}

}  // namespace coffer::rclone
