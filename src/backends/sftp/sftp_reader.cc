#include "backends/sftp/sftp_reader.h"

#include <algorithm>
#include <cstring>

#include "backends/sftp/sftp_adapter.h"

namespace coffer::sftp {
namespace {

/// The piece that every server answers whole (draft-ietf-secsh-filexfer-02, section 3).
constexpr std::uint64_t kPieceBytes = 32 * 1024;
/// Measured: more does not read faster, a quarter of it is slower.
constexpr std::uint64_t kMaxWindowBytes = 2 * 1024 * 1024;

std::unexpected<Error> fail_changed() {
  return fail(ErrorCode::refused, "The remote file was changed while it was read.");
}

}  // namespace

SftpReader::SftpReader(std::shared_ptr<Server> server, SftpRemote remote, std::string handle,
                       storage::Entry entry)
    : server_(std::move(server)),
      remote_(std::move(remote)),
      handle_(std::move(handle)),
      entry_(std::move(entry)) {}

SftpReader::~SftpReader() {
  Server::run_background(server_,
                         [remote = remote_, handle = handle_] { remote.close_behind(handle); });
}

Task<Result<std::size_t>> SftpReader::read(std::uint64_t offset, std::span<std::byte> out) {
  auto work = [this, offset, out] { return read_waiting(offset, out); };
  co_return co_await server_->run(std::move(work));
}

std::optional<std::size_t> SftpReader::read_now(std::uint64_t offset, std::span<std::byte> out) {
  if (offset != position_ || taken_ == here_.size() || !may_drain()) return std::nullopt;
  return take(out);
}

/// Taking bytes without asking for more would leave the line idle.
bool SftpReader::may_drain() const {
  return asked_to_ == entry_.size_bytes || asked_to_ - position_ > window_bytes_ / 2;
}

Result<std::size_t> SftpReader::read_waiting(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= entry_.size_bytes || out.empty()) return 0;
  if (offset != position_) start_at(offset);
  auto got = read_on(out);
  // The requests on their way do not follow the caller's position.
  if (!got) start_at(position_);
  return got;
}

Result<std::size_t> SftpReader::read_on(std::span<std::byte> out) {
  std::size_t got = 0;
  while (got < out.size() && position_ < entry_.size_bytes) {
    if (taken_ == here_.size()) {
      TRY_VOID(ask_ahead(out.size() - got));
      if (got > 0 && !remote_.connection().is_here(ahead_.front().asked)) break;
      TRY_VOID(receive());
    }
    got += take(out.subspan(got));
  }
  return got;
}

void SftpReader::start_at(std::uint64_t offset) {
  ahead_.clear();
  here_.clear();
  taken_ = 0;
  window_bytes_ = 0;
  position_ = asked_to_ = offset;
}

Result<void> SftpReader::ask_ahead(std::size_t wanted) {
  const auto missing = window_bytes_ - std::min(window_bytes_, asked_to_ - position_);
  if (!ahead_.empty() && missing < window_bytes_ / 4) return {};
  // Scattered reads are not read ahead.
  window_bytes_ = std::min(kMaxWindowBytes, std::max<std::uint64_t>(window_bytes_ * 2, wanted));
  Connection::Batch batch(remote_.connection());
  std::deque<Piece> pieces;
  const auto end = std::min(entry_.size_bytes, position_ + window_bytes_);
  while (asked_to_ < end) {
    const auto count =
        static_cast<std::uint32_t>(std::min(kPieceBytes, entry_.size_bytes - asked_to_));
    batch.begin(PacketType::read).text(handle_).u64(asked_to_).u32(count);
    pieces.push_back({asked_to_, count, nullptr});
    asked_to_ += count;
  }
  TRY(auto asked, batch.send());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].asked = std::move(asked[i]);
    ahead_.push_back(std::move(pieces[i]));
  }
  return {};
}

Result<void> SftpReader::receive() {
  const Piece piece = std::move(ahead_.front());
  ahead_.pop_front();
  auto& connection = remote_.connection();
  TRY(auto reply, connection.wait(piece.asked, connection.deadlines().stall));
  PacketReader reader(reply.body);
  if (reply.type == PacketType::status) {
    const auto status = static_cast<Status>(reader.u32());
    if (status == Status::end_of_file) return fail_changed();
    return fail_with(status);
  }
  const auto data = reader.text();
  if (reply.type != PacketType::data || data.empty() || data.size() > piece.count) {
    return fail_garbled();
  }
  here_ = data;
  taken_ = 0;
  if (data.size() < piece.count) return ask_rest(piece, data.size());
  return {};
}

/// A server may give less than was asked for; the rest comes before all that follows.
Result<void> SftpReader::ask_rest(const Piece& piece, std::size_t got) {
  const auto offset = piece.offset + got;
  const auto count = static_cast<std::uint32_t>(piece.count - got);
  Connection::Batch batch(remote_.connection());
  batch.begin(PacketType::read).text(handle_).u64(offset).u32(count);
  TRY(auto asked, batch.send());
  ahead_.push_front({offset, count, std::move(asked.front())});
  return {};
}

std::size_t SftpReader::take(std::span<std::byte> out) {
  const auto count = std::min(out.size(), here_.size() - taken_);
  std::memcpy(out.data(), here_.data() + taken_, count);
  taken_ += count;
  position_ += count;
  return count;
}

Result<std::unique_ptr<storage::Reader>> open_file(const std::shared_ptr<Server>& server,
                                                   const Lookup& lookup, const SftpRemote& remote,
                                                   const Path& file) {
  TRY(const auto found, lookup.find(remote, file));
  if (!found.attributes.is_file()) return remote::fail_no_file();
  TRY(auto handle, remote.open_to_read(found.place));
  const auto attributes = remote.stat_opened(handle, found.place);
  if (!attributes) {
    remote.close_behind(handle);
    return failure_of(attributes);
  }
  return std::make_unique<SftpReader>(server, remote, std::move(handle),
                                      entry_of(item_of(std::string(file.name()), *attributes)));
}

}  // namespace coffer::sftp
