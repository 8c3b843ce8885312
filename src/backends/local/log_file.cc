#include "backends/local/log_file.h"

#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "backends/local/status.h"
#include "base/random.h"

namespace coffer::local {
namespace {

/// What disks write in one piece.
constexpr std::uint64_t kBlockBytes = 4096;
constexpr std::uint64_t kLeastGrowthBytes = 64 * 1024;
constexpr std::uint64_t kMostGrowthBytes = 1024 * 1024;
constexpr std::string_view kMagic = "coffer log ";
constexpr char kVersion = '2';

using Key = std::array<unsigned char, crypto_shorthash_KEYBYTES>;

struct Head {
  std::array<char, 16> magic;
  std::array<char, 80> boot;  ///< "boot=…\n"
  Key key;
};

struct FrameHead {
  std::uint64_t hash;  ///< Of all that follows, the filling not included.
  std::uint64_t sequence;
  std::uint64_t payload_bytes;
};
static_assert(sizeof(FrameHead) == LogFile::kFrameHeadBytes);

std::uint64_t hash_of(const Key& key, std::span<const std::byte> frame) {
  static_assert(crypto_shorthash_BYTES == sizeof(std::uint64_t));
  const auto hashed = frame.subspan(sizeof(std::uint64_t));
  std::uint64_t hash = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash),
                   reinterpret_cast<const unsigned char*>(hashed.data()), hashed.size(),
                   key.data());
  return hash;
}

std::uint64_t rounded_up(std::uint64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

std::expected<std::vector<std::byte>, int> read_all(const Handle& file) {
  const auto status = status_of(file.get(), kSizeMask);
  if (!status) return std::unexpected(status.error());
  std::vector<std::byte> bytes(status->stx_size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto offset = static_cast<off_t>(done);
    const ssize_t count = ::pread(file.get(), bytes.data() + done, bytes.size() - done, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(errno);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

/// The frame at the front of the bytes.
std::optional<LogFrame> frame_at(const Key& key, std::span<const std::byte> bytes) {
  FrameHead head{};
  if (bytes.size() < sizeof(head)) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof(head));
  if (head.payload_bytes > bytes.size() - sizeof(head)) return std::nullopt;
  const auto frame = bytes.first(sizeof(head) + head.payload_bytes);
  if (hash_of(key, frame) != head.hash) return std::nullopt;
  return LogFrame{head.sequence, {frame.begin() + sizeof(head), frame.end()}};
}

/// Empty if there is none.
std::string boot_of(const Head& head) {
  const std::string_view text(head.boot.data(), head.boot.size());
  const auto end = text.find('\n');
  if (!text.starts_with(LogFile::kBootMark) || end == std::string_view::npos) return {};
  return std::string(text.substr(0, end).substr(LogFile::kBootMark.size()));
}

}  // namespace

std::expected<std::unique_ptr<LogFile>, int> LogFile::create(int folder, const char* name,
                                                             std::string_view boot) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Handle file(::openat(folder, name, kFlags, 0600));
  if (!file) return std::unexpected(errno);
  std::unique_ptr<LogFile> log(new LogFile(std::move(file), boot.substr(0, 64)));
  if (const int error = log->write_head(); error != 0) {
    ::unlinkat(folder, name, 0);
    return std::unexpected(error);
  }
  return log;
}

std::expected<LogContent, int> LogFile::read(int folder, const char* name) {
  const Handle file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return std::unexpected(errno);
  const auto bytes = read_all(file);
  if (!bytes) return std::unexpected(bytes.error());
  LogContent content;
  Head head{};
  if (bytes->size() < kBlockBytes) return content;
  std::memcpy(&head, bytes->data(), sizeof(head));
  if (!std::ranges::equal(std::span(head.magic).first(kMagic.size()), kMagic)) return content;
  content.version = head.magic[kMagic.size()] - '0';
  content.boot = boot_of(head);
  for (std::uint64_t offset = kBlockBytes; offset < bytes->size();) {
    auto frame = frame_at(head.key, std::span(*bytes).subspan(offset));
    if (!frame) break;
    offset += rounded_up(sizeof(FrameHead) + frame->payload.size());
    content.frames.push_back(*std::move(frame));
  }
  return content;
}

int LogFile::append(std::uint64_t sequence, std::vector<std::byte>& frame) {
  FrameHead head{0, sequence, frame.size() - sizeof(FrameHead)};
  std::memcpy(frame.data(), &head, sizeof(head));
  head.hash = hash_of(key_, frame);
  std::memcpy(frame.data(), &head, sizeof(head));
  frame.resize(rounded_up(frame.size()));
  if (const int error = write_at(end_, frame); error != 0) return error;
  if (const int error = grow(end_ + frame.size()); error != 0) return error;
  if (::fdatasync(file_.get()) != 0) return errno;
  end_ += frame.size();
  return 0;
}

int LogFile::clear() {
  // Without a journal, syncfs(2) does not make a disk empty its own cache at the end; this does,
  // before the log can lose what it holds.
  if (::fdatasync(file_.get()) != 0) return errno;
  return write_head();
}

bool LogFile::is_empty() const {
  return end_ == kBlockBytes;
}

int LogFile::write_head() {
  Head head{};
  fill_random(std::as_writable_bytes(std::span(head.key)));
  std::ranges::copy(kMagic, head.magic.begin());
  head.magic[kMagic.size()] = kVersion;
  head.magic[kMagic.size() + 1] = '\n';
  const std::string boot = std::string(kBootMark) + boot_ + '\n';
  std::ranges::copy(boot, head.boot.begin());
  std::array<std::byte, kBlockBytes> block{};
  std::memcpy(block.data(), &head, sizeof(head));
  if (const int error = write_at(0, block); error != 0) return error;
  if (::fdatasync(file_.get()) != 0) return errno;
  key_ = head.key;
  end_ = kBlockBytes;
  size_ = std::max(size_, end_);
  return 0;
}

int LogFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto at = static_cast<off_t>(offset);
    const ssize_t count = ::pwrite(file_.get(), bytes.data(), bytes.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    offset += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return 0;
}

// Zeros ahead, so that most frames change no more than blocks that the file has: syncing those
// leaves the file system's own books alone.
int LogFile::grow(std::uint64_t used_bytes) {
  if (used_bytes <= size_) return 0;
  const auto more = std::clamp(used_bytes, kLeastGrowthBytes, kMostGrowthBytes);
  const std::vector<std::byte> zeros(more);
  if (const int error = write_at(used_bytes, zeros); error != 0) return error;
  size_ = used_bytes + more;
  return 0;
}

}  // namespace coffer::local
