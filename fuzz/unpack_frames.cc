#include "core/archive/unpack_frames.h"

#include "check.h"

/// What a process that unpacks says is decoded to what would be said so, or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coffer;
  const auto payload = fuzz::to_text(data, size);
  if (const auto item = core::decode_item(payload)) {
    if (item->name.size() < 1000) fuzz::check(core::decode_item(core::encode(*item)) == item);
  }
  if (const auto read = core::decode_read(payload)) {
    fuzz::check(core::encode(*read) == payload && read->size_bytes <= core::kMostFrameBytes);
  }
  if (const auto error = core::decode_failure(payload)) {
    fuzz::check(core::encode(*error) == payload);
  }
  return 0;
}
