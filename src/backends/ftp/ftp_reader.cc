#include "backends/ftp/ftp_reader.h"

#include <algorithm>
#include <utility>

#include "backends/ftp/metadata.h"

namespace coffer::ftp {
namespace {

/// More than libcurl hands over at once (CURL_MAX_WRITE_SIZE).
constexpr std::size_t kLongestPieceBytes = 64 * 1024;
/// A stream that brought so much before it broke may break again: pauses end several of a long
/// file.
constexpr std::uint64_t kFarBytes = 1024 * 1024;

}  // namespace

FtpReader::FtpReader(std::shared_ptr<Server> server, std::string path, storage::Entry entry,
                     Lease connection, Use use)
    : server_(std::move(server)),
      path_(std::move(path)),
      entry_(std::move(entry)),
      connection_(std::move(connection)),
      use_(use) {
  server_->connections->rest(connection_);
}

// The connection is closed by the pool's threads if the stream still runs.
FtpReader::~FtpReader() {
  server_->connections->wake(connection_);
}

std::span<const std::byte> FtpReader::ahead() const {
  return std::span(ahead_).subspan(ahead_begin_);
}

std::size_t FtpReader::copy_ahead(std::uint64_t offset, std::span<std::byte> out) {
  if (offset < position_ || offset - position_ >= ahead().size()) return 0;
  ahead_begin_ += offset - position_;
  const auto bytes = ahead().first(std::min(out.size(), ahead().size()));
  std::ranges::copy(bytes, out.begin());
  ahead_begin_ += bytes.size();
  position_ = offset + bytes.size();
  if (ahead().empty()) {
    ahead_.clear();
    ahead_begin_ = 0;
  }
  return bytes.size();
}

std::optional<std::size_t> FtpReader::read_now(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= entry_.size_bytes || out.empty()) return 0;
  if (const std::size_t copied = copy_ahead(offset, out); copied > 0) return copied;
  return take_arrived(offset, out);
}

/// Returns bytes of the stream that have arrived. Its end, good or bad, is left to `read`, which
/// may wait: the last bytes are returned only when the stream has ended well. libcurl is entered
/// only if it has bytes to give, since it waits when a server ends the stream early.
std::optional<std::size_t> FtpReader::take_arrived(std::uint64_t offset, std::span<std::byte> out) {
  if (!streaming_ || outcome_ || offset != arrived_) return std::nullopt;
  if (entry_.size_bytes - arrived_ <= out.size() + kLongestPieceBytes) return std::nullopt;
  if (!server_->connections->wake(connection_)) return std::nullopt;
  receive_into(offset, out);
  if (connection_->shows_data()) connection_->wake();
  while (!outcome_ && filled_ < out.size() && connection_->has_data()) {
    const auto before = arrived_;
    auto done = connection_->advance(false);
    if (!done || *done) outcome_ = std::move(done);
    if (arrived_ == before) break;
  }
  end_receiving();
  server_->connections->rest(connection_);
  if (filled_ == 0) return std::nullopt;
  return filled_;
}

/// Drops the bytes ahead: a read that could use them would have been served by them, and one that
/// jumps to the stream's position does not need them.
void FtpReader::receive_into(std::uint64_t offset, std::span<std::byte> out) {
  ahead_.clear();
  ahead_begin_ = 0;
  position_ = offset;
  out_ = out;
  filled_ = 0;
}

void FtpReader::end_receiving() {
  out_ = {};
  position_ += filled_;
}

Task<Result<std::size_t>> FtpReader::read(std::uint64_t offset, std::span<std::byte> out) {
  if (const auto at_once = read_now(offset, out)) co_return *at_once;
  if (!server_->connections->wake(connection_)) {
    streaming_ = false;
    looked_ = false;
    CO_TRY(connection_, co_await server_->connections->acquire(use_));
  }
  auto work = [this, offset, out] { return read_waiting(offset, out); };
  co_return co_await server_->pool.run(std::move(work));
}

Result<std::size_t> FtpReader::read_waiting(std::uint64_t offset, std::span<std::byte> out) {
  const bool goes_on = streaming_ && offset == arrived_;
  if (!goes_on) {
    TRY_VOID(begin_at(offset));
  }
  receive_into(offset, out);
  if (goes_on && !outcome_) connection_->wake();
  const auto filled = fill();
  end_receiving();
  if (!filled) {
    connection_->abort();
    connection_.give_back();
    streaming_ = false;
    ahead_.clear();
    return failure_of(filled);
  }
  if (streaming_) {
    server_->connections->rest(connection_);
  } else {
    connection_.give_back();
  }
  return filled_;
}

Result<void> FtpReader::begin_at(std::uint64_t offset) {
  connection_->abort();
  streaming_ = false;
  outcome_.reset();
  ahead_.clear();
  ahead_begin_ = 0;
  TRY_VOID(check_unchanged());
  arrived_ = begun_at_ = offset;
  excess_ = false;
  TRY(auto place, connection_->place(path_));
  auto begun = connection_->begin_download(std::move(place), offset,
                                           [this](auto data) { return take(data); });
  if (begun) streaming_ = true;
  return begun;
}

Result<void> FtpReader::check_unchanged() {
  if (std::exchange(looked_, false)) return {};
  TRY_VOID(connection_->ready());
  TRY(const FtpItem item, metadata_of({*server_, *connection_}, path_));
  const bool same = item.kind == Kind::file && item.size_bytes == entry_.size_bytes &&
                    item.modified_at == entry_.modified_at;
  if (!same) return changed();
  return {};
}

/// Reads until there are bytes to return, and further while more arrive without waiting. A file
/// that has grown shows only behind its last byte, so the last read waits for the end of the
/// stream.
Result<void> FtpReader::fill() {
  for (;;) {
    const bool at_end = arrived_ >= entry_.size_bytes;
    if (!streaming_ || (filled_ == out_.size() && !at_end)) return {};
    const auto before = arrived_;
    const auto done = outcome_ ? *std::exchange(outcome_, std::nullopt)
                               : connection_->advance(filled_ == 0 || at_end);
    if (excess_) return changed();
    if (done && !*done) {
      if (arrived_ == before && filled_ > 0 && !at_end) return {};
      continue;
    }
    streaming_ = false;
    if (done && arrived_ == entry_.size_bytes) return {};
    if (!done && (arrived_ == begun_at_ || done.error().code == ErrorCode::timed_out)) {
      return failure_of(done);
    }
    if (arrived_ == begun_at_) return changed();
    const bool went_far = arrived_ - begun_at_ >= kFarBytes;
    if (std::exchange(resumed_, true) && !went_far) return done ? changed() : failure_of(done);
    TRY_VOID(go_on());
  }
}

/// Starts another stream after one that ended too early; bytes of the first one stay valid.
Result<void> FtpReader::go_on() {
  std::vector<std::byte> kept = std::move(ahead_);
  const auto kept_begin = ahead_begin_;
  auto begun = begin_at(arrived_);
  ahead_ = std::move(kept);
  ahead_begin_ = kept_begin;
  return begun;
}

/// Keeps the rest of a piece that a read has no room for. libcurl receives no more until then.
bool FtpReader::take(std::span<const std::byte> data) {
  // Once a piece was left out, a smaller one behind it must not take its place.
  excess_ = excess_ || arrived_ + data.size() > entry_.size_bytes;
  if (excess_) return true;
  if (filled_ == out_.size()) return false;
  arrived_ += data.size();
  const auto now = data.first(std::min(data.size(), out_.size() - filled_));
  std::ranges::copy(now, out_.subspan(filled_).begin());
  filled_ += now.size();
  const auto later = data.subspan(now.size());
  ahead_.insert(ahead_.end(), later.begin(), later.end());
  return true;
}

std::unexpected<Error> FtpReader::changed() {
  return fail(ErrorCode::refused, "The file was changed while it was read.");
}

}  // namespace coffer::ftp
