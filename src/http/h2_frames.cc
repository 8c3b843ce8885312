#include "http/h2_frames.h"

#include <algorithm>
#include <utility>

namespace coffer::http {
namespace {

constexpr unsigned char kHeaders = 0x1;
constexpr unsigned char kContinuation = 0x9;
constexpr unsigned char kEndHeaders = 0x4;

}  // namespace

void H2FrameScanner::begin_frame() {
  left_ = std::size_t{header_[0]} << 16 | std::size_t{header_[1]} << 8 | header_[2];
  header_bytes_ = 0;
  const bool is_of_head = header_[3] == kHeaders || header_[3] == kContinuation;
  ends_head_ = !is_of_head || (header_[4] & kEndHeaders) != 0;
  is_in_head_ = is_of_head && (left_ > 0 || !ends_head_);
  if (is_of_head && !is_in_head_) ++heads_ended_;
}

void H2FrameScanner::scan(std::string_view bytes) {
  while (!bytes.empty()) {
    if (left_ > 0) {
      const std::size_t count = std::min(left_, bytes.size());
      bytes.remove_prefix(count);
      left_ -= count;
      if (left_ == 0 && ends_head_ && std::exchange(is_in_head_, false)) ++heads_ended_;
    } else {
      header_[header_bytes_++] = static_cast<unsigned char>(bytes.front());
      bytes.remove_prefix(1);
      if (header_bytes_ == header_.size()) begin_frame();
    }
  }
}

}  // namespace coffer::http
