#include "backends/objects/segment_sender.h"

#include <boost/asio/this_coro.hpp>
#include <utility>

namespace coffer::objects {
Task<Result<storage::Segment>> SegmentSender::send(FilledSegment filled) {
  while (under_way_.size() >= kMostUnderWay) {
    CO_TRY_VOID(co_await wait_for_oldest());
  }
  storage::Segment segment;
  segment.size_bytes = filled.bytes.size();
  segment.sha256 = filled.sha256;
  CO_TRY(segment.object, co_await names_.draw_object());
  auto shared = std::make_shared<const FilledSegment>(std::move(filled));
  const auto executor = co_await asio::this_coro::executor;
  const ObjectId id{segment.object};
  under_way_.emplace_back(executor, put(blobs_, id, std::move(shared)));
  co_return segment;
}

Task<Result<void>> SegmentSender::put(Blobs& blobs, ObjectId id,
                                      std::shared_ptr<const FilledSegment> filled) {
  co_return co_await blobs.put(id, filled->bytes, filled->sha256);
}

Task<Result<void>> SegmentSender::wait_for_oldest() {
  auto oldest = std::move(under_way_.front());
  under_way_.pop_front();
  co_return co_await oldest.wait();
}

Task<Result<void>> SegmentSender::wait_for_all() {
  Result<void> first;
  while (!under_way_.empty()) {
    auto stored = co_await wait_for_oldest();
    if (first) first = std::move(stored);
  }
  co_return first;
}

}  // namespace coffer::objects
