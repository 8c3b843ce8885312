#include "api/content.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "core/namespace/access_recheck.h"

namespace coffer::api {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;

/// Reads the stretch into the page cache: readahead(2) alone may return before it is there.
void warm(int descriptor, std::uint64_t offset, std::uint64_t length) {
  ::posix_fadvise(descriptor, static_cast<off_t>(offset), static_cast<off_t>(length),
                  POSIX_FADV_WILLNEED);
  std::vector<std::byte> scratch(kPieceBytes);
  for (std::uint64_t at = 0; at < length;) {
    const auto want = std::min<std::uint64_t>(scratch.size(), length - at);
    const ssize_t got = ::pread(descriptor, scratch.data(), want, static_cast<off_t>(offset + at));
    if (got <= 0) return;  // sendfile(2) meets the same end or error and tells of it.
    at += static_cast<std::uint64_t>(got);
  }
}

}  // namespace

std::string etag_of(const storage::FileVersion& version) {
  return fmt::format("\"{:x}-{:x}-{:x}\"", version.size_bytes,
                     static_cast<std::uint64_t>(version.modified_at.time_since_epoch().count()),
                     version.file_id);
}

http::ContentInfo info_of(const storage::Entry& entry) {
  http::ContentInfo info;
  info.size_bytes = entry.size_bytes;
  info.etag = etag_of(version_of(entry));
  info.modified_at = entry.modified_at;
  info.media_type = http::media_type_of(entry.name);
  info.disposition = http::attachment_disposition(entry.name);
  return info;
}

Task<Result<std::size_t>> FileContent::read(std::uint64_t offset, std::span<std::byte> out) {
  return file_.reader->read(offset, out);
}

std::optional<std::size_t> FileContent::read_now(std::uint64_t offset, std::span<std::byte> out) {
  return file_.reader->read_now(offset, out);
}

Task<Result<void>> FileContent::may_go_on() {
  if (!timer_.is_due()) co_return Result<void>{};
  co_return co_await file_.still_allowed();
}

Task<void> FileContent::prefetch(std::uint64_t offset, std::uint64_t length) {
  const int file = *file_.reader->descriptor();
  co_await pool_.run([file, offset, length] { warm(file, offset, length); });
}

}  // namespace coffer::api
