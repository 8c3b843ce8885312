#include "backends/sftp/file_copy.h"

#include <algorithm>

#include "base/error.h"

namespace coffer::sftp {
namespace {

/// Copied by one request: little enough that its answer comes in time.
constexpr std::uint64_t kCopiedAtOnce = 16 * 1024 * 1024;
constexpr std::uint64_t kCopyPieceBytes = 32 * 1024;
constexpr std::size_t kPiecesAtOnce = 32;

/// From one open file to another.
class FileCopy {
 public:
  FileCopy(const SftpRemote& remote, const std::string& from, const std::string& to,
           storage::CopyWatch& watch)
      : remote_(remote), from_(from), to_(to), watch_(watch) {}

  Result<std::uint64_t> copy_content(std::uint64_t limit_bytes);

 private:
  Result<void> copy_piece(std::uint64_t offset, std::uint64_t count);
  Result<void> send_piece(std::uint64_t offset, std::uint64_t count);

  const SftpRemote& remote_;
  const std::string& from_;
  const std::string& to_;
  storage::CopyWatch& watch_;
};

Result<std::uint64_t> FileCopy::copy_content(std::uint64_t limit_bytes) {
  const auto attributes = remote_.fstat(from_);
  if (!attributes) return failure_of(attributes);
  const auto size = attributes->size_bytes.value_or(0);
  if (size > limit_bytes) {
    return fail_over_quota();
  }
  for (std::uint64_t done = 0; done < size; done += kCopiedAtOnce) {
    auto copied = copy_piece(done, std::min(kCopiedAtOnce, size - done));
    if (!copied) return failure_of(copied);
  }
  const auto made = remote_.fstat(to_);
  if (!made) return failure_of(made);
  if (made->size_bytes != size) {
    return fail(ErrorCode::refused, "The remote server did not keep the whole file.");
  }
  if (auto safe = remote_.fsync(to_); !safe) return failure_of(safe);
  const Attributes time{.modified_s = attributes->modified_s};
  if (!time.modified_s) return size;
  if (auto set = remote_.fset(to_, time); !set) return failure_of(set);
  return size;
}

Result<void> FileCopy::copy_piece(std::uint64_t offset, std::uint64_t count) {
  if (remote_.connection().extensions().copy_data) {
    auto copied = remote_.copy_data(from_, offset, count, to_);
    if (copied) watch_.wrote(count);
    return copied ? go_on(watch_) : copied;
  }
  constexpr std::uint64_t kRun = kCopyPieceBytes * kPiecesAtOnce;
  for (std::uint64_t done = 0; done < count; done += kRun) {
    const auto piece = std::min(kRun, count - done);
    if (auto sent = send_piece(offset + done, piece); !sent) return sent;
    watch_.wrote(piece);
    if (auto on = go_on(watch_); !on) return on;
  }
  return {};
}

/// Through this machine, for servers that cannot copy.
Result<void> FileCopy::send_piece(std::uint64_t offset, std::uint64_t count) {
  auto& connection = remote_.connection();
  const auto stall = connection.deadlines().stall;
  Connection::Batch reads(connection);
  for (std::uint64_t at = 0; at < count; at += kCopyPieceBytes) {
    const auto piece = static_cast<std::uint32_t>(std::min(kCopyPieceBytes, count - at));
    reads.begin(PacketType::read).text(from_).u64(offset + at).u32(piece);
  }
  const auto asked = reads.send();
  if (!asked) return failure_of(asked);
  Connection::Batch writes(connection);
  for (std::uint64_t at = 0; const auto& each : *asked) {
    const auto reply = connection.wait(each, stall);
    if (!reply) return failure_of(reply);
    if (reply->type != PacketType::data) return fail_by(*reply);
    const auto data = PacketReader(reply->body).text();
    if (data.size() != std::min(kCopyPieceBytes, count - at)) return fail_garbled();
    writes.begin(PacketType::write).text(to_).u64(offset + at).text(data);
    at += kCopyPieceBytes;
  }
  const auto written = writes.send();
  if (!written) return failure_of(written);
  for (const auto& each : *written) {
    const auto reply = connection.wait(each, stall);
    if (!reply) return failure_of(reply);
    if (auto status = status_of(*reply); !status) return status;
  }
  return {};
}

}  // namespace

Result<std::uint64_t> copy_file(const SftpRemote& remote, const std::string& from,
                                const std::string& to, std::uint64_t limit_bytes,
                                storage::CopyWatch& watch) {
  const auto source = remote.open_to_read(from);
  if (!source) return failure_of(source);
  const auto target = remote.open_new(to);
  Result<std::uint64_t> copied = 0;
  if (target) {
    copied = FileCopy(remote, *source, *target, watch).copy_content(limit_bytes);
    // Some servers write only now, and tell here that they could not.
    const auto closed = remote.close(*target);
    if (copied && !closed) copied = failure_of(closed);
  } else {
    copied = failure_of(target);
  }
  remote.close_behind(*source);
  return copied;
}

}  // namespace coffer::sftp
