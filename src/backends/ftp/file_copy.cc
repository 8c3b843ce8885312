#include "backends/ftp/file_copy.h"

#include <algorithm>
#include <vector>

namespace coffer::ftp {
namespace {

constexpr std::size_t kBlockBytes = 1024 * 1024;

/// One file on its way from one connection to the other.
class FileCopy {
 public:
  FileCopy(Connection& from, Connection& to, storage::CopyWatch& watch)
      : from_(from), to_(to), watch_(watch) {}

  /// Returns how many bytes were copied.
  Result<std::uint64_t> run(const std::string& source, const std::string& target) {
    auto reading = from_.begin_download(source, 0, [this](auto data) { return take(data); });
    if (!reading) return failure_of(reading);
    auto writing = to_.begin_upload(target, [this](auto out) { return give(out); });
    if (writing) writing = pump();
    if (!writing) {
      from_.abort();
      to_.abort();
      return failure_of(writing);
    }
    return copied_;
  }

 private:
  Result<void> pump() {
    while (!read_all_) {
      from_.wake();
      while (!read_all_ && block_.size() < kBlockBytes) {
        if (auto on = go_on(watch_); !on) return on;
        const auto done = from_.advance(true);
        if (!done) return failure_of(done);
        read_all_ = *done;
      }
      if (auto sent = send(); !sent) return sent;
    }
    return {};
  }

  Result<void> send() {
    to_.unpause();
    for (;;) {
      if (auto on = go_on(watch_); !on) return on;
      const auto done = to_.advance(true);
      if (!done) return failure_of(done);
      if (*done && read_all_ && given_ == block_.size()) break;
      if (*done) return fail(ErrorCode::unavailable, "The FTP server ended the upload early.");
      if (!read_all_ && given_ == block_.size()) break;
    }
    watch_.wrote(block_.size());
    block_.clear();
    given_ = 0;
    return {};
  }

  bool take(std::span<const std::byte> data) {
    if (block_.size() >= kBlockBytes) return false;
    block_.insert(block_.end(), data.begin(), data.end());
    copied_ += data.size();
    return true;
  }

  std::optional<std::size_t> give(std::span<std::byte> out) {
    const auto count = std::min(out.size(), block_.size() - given_);
    std::ranges::copy(std::span(block_).subspan(given_, count), out.begin());
    given_ += count;
    if (count == 0 && !read_all_) return std::nullopt;
    return count;
  }

  Connection& from_;
  Connection& to_;
  storage::CopyWatch& watch_;
  std::vector<std::byte> block_;
  std::size_t given_ = 0;
  std::uint64_t copied_ = 0;
  bool read_all_ = false;
};

}  // namespace

Result<std::uint64_t> copy_content(Connection& from, const std::string& source, Connection& to,
                                   const std::string& target, storage::CopyWatch& watch) {
  return FileCopy(from, to, watch).run(source, target);
}

}  // namespace coffer::ftp
