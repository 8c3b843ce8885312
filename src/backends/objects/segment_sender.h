#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "backends/objects/blobs.h"
#include "backends/objects/running.h"
#include "backends/objects/segment_buffer.h"
#include "storage/names.h"

namespace coffer::objects {

/// Stores segments as new objects, two at a time. Not safe for concurrent calls.
class SegmentSender {
 public:
  static constexpr std::size_t kMostUnderWay = 2;

  /// `names` must outlive the sender, and `blobs` what is on its way to it.
  SegmentSender(storage::Names& names, Blobs& blobs) : names_(names), blobs_(blobs) {}

  /// Begins to store the bytes as a new object, and waits before as long as as many are
  /// under way as may be. Returns the segment, which is stored if `wait_for_all` succeeds. Its
  /// object is the caller's to discard. After a failure, which may be that of an earlier segment,
  /// there is no new object.
  Task<Result<storage::Segment>> send(FilledSegment filled);
  /// Waits until nothing is under way. Returns the first failure.
  Task<Result<void>> wait_for_all();

 private:
  Task<Result<void>> wait_for_oldest();
  static Task<Result<void>> put(Blobs& blobs, ObjectId id,
                                std::shared_ptr<const FilledSegment> filled);

  storage::Names& names_;
  Blobs& blobs_;
  std::deque<Running<void>> under_way_;
};

}  // namespace coffer::objects
