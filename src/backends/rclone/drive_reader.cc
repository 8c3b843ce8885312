#include "backends/rclone/drive_reader.h"

#include <utility>

#include "async/deadline.h"
#include "backends/rclone/engine/content_request.h"
#include "backends/rclone/metadata.h"

namespace coffer::rclone {
namespace {

constexpr unsigned kStatusOk = 200;
constexpr unsigned kPartial = 206;

std::unexpected<Error> fail_changed() {
  return fail(ErrorCode::refused, "The file was changed while it was read.");
}

}  // namespace

std::optional<std::size_t> DriveReader::read_now(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= entry_.size_bytes || out.empty()) return 0;
  if (!talk_ || offset != position_) return std::nullopt;
  const std::size_t got = talk_->read_now(out);
  if (got == 0) return std::nullopt;
  position_ += got;
  return got;
}

Task<Result<std::size_t>> DriveReader::read(std::uint64_t offset, std::span<std::byte> out) {
  if (const auto at_once = read_now(offset, out)) co_return *at_once;
  constexpr std::string_view kTooSlow = "The drive does not send the file in time.";
  auto reading = read_some(offset, out);
  auto got = co_await with_deadline(std::move(reading), remote_->options.deadlines.stall,
                                    std::string(kTooSlow));
  if (!got) {
    talk_.reset();
    co_return got;
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

Task<Result<std::size_t>> DriveReader::read_some(std::uint64_t offset, std::span<std::byte> out) {
  if (!talk_ || offset != position_) {
    auto begun = co_await begin_at(offset);
    if (!begun) co_return failure_of(std::move(begun));
  }
  auto got = co_await talk_->read_some(out);
  if (got && *got == 0) co_return fail_changed();
  co_return got;
}

Task<Result<void>> DriveReader::begin_at(std::uint64_t offset) {
  talk_.reset();
  const auto run = co_await remote_->ready();
  if (!run) co_return failure_of(run);
  auto talk = std::make_unique<HttpExchange>();
  auto request = content_request(remote_->fs(), remote_->place(path_), offset);
  auto begun = co_await talk->begin(**run, std::move(request));
  if (!begun) co_return begun;
  const unsigned expected = offset > 0 ? kPartial : kStatusOk;
  co_await remote_->note_token(**run, talk->status() != expected);
  if (talk->status() != expected) {
    const auto error = co_await talk->error();
    co_return std::unexpected(error);
  }
  talk_ = std::move(talk);
  position_ = offset;
  co_return co_await check_file(offset);
}

/// That the stream is of this file is certain only if the file is still the same once it has begun.
Task<Result<void>> DriveReader::check_file(std::uint64_t offset) {
  const auto told = talk_->body_bytes();
  if (!told) co_return fail(ErrorCode::refused, "The drive does not tell how long the file is.");
  if (*told != entry_.size_bytes - offset) co_return fail_changed();
  const auto item = co_await metadata_of(*remote_, path_);
  if (!item) co_return failure_of(item);
  const auto entry = entry_of(item_of(*item));
  if (entry.is_directory || entry.size_bytes != entry_.size_bytes ||
      entry.modified_at != entry_.modified_at) {
    co_return fail_changed();
  }
  co_return Result<void>{};
}

}  // namespace coffer::rclone
