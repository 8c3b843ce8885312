#include <cstring>

#include "check.h"
#include "http/serve_content.h"

using namespace coffer;

/// Whatever is asked for, what is chosen lies within the content, ascending and apart. The first
/// bytes are the content's size.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint64_t content_bytes = 0;
  if (size < sizeof content_bytes) return 0;
  std::memcpy(&content_bytes, data, sizeof content_bytes);
  const auto header = fuzz::to_text(data + sizeof content_bytes, size - sizeof content_bytes);
  for (const std::uint64_t length : {content_bytes, content_bytes % 100}) {
    const auto choice = http::choose_ranges(header, length);
    fuzz::check((choice.kind == http::RangeChoice::Kind::some) == !choice.ranges.empty());
    fuzz::check(choice.ranges.size() <= 64);
    const http::ByteRange* before = nullptr;
    for (const auto& range : choice.ranges) {
      fuzz::check(range.length > 0 && range.offset < length);
      fuzz::check(range.length <= length - range.offset);
      fuzz::check(!before || range.offset > before->offset + before->length);
      before = &range;
    }
  }
  return 0;
}
