#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "storage/names.h"
#include "storage/spool.h"

namespace coffer::storage {

/// A part of an unfinished upload, stored as an object that no content has.
struct UploadSegment {
  std::uint64_t at_byte = 0;  ///< Where it begins in the upload.
  Segment segment;

  std::uint64_t end_byte() const { return at_byte + segment.size_bytes; }
  bool operator==(const UploadSegment&) const = default;
};

/// The parts of unfinished uploads whose bytes lie in a store of objects. The objects are no
/// garbage (see Names::garbage) as long as they are noted here, whichever run noted them. The
/// segments of an upload join: each begins where the one before it ends, the first at byte 0.
///
/// Errors of all calls: `unready` if the database does not answer, and the call may be repeated,
/// whether or not something was changed; `failed` or `disk_full` if the database fails. Safe from
/// any thread.
class UploadSegments {
 public:
  virtual ~UploadSegments() = default;

  /// Returns up to `most` segments of an upload, in order, beginning with that of the byte
  /// `offset`; none if no segment has this byte.
  virtual Task<Result<std::vector<UploadSegment>>> find(UploadId upload, std::uint64_t offset,
                                                        std::size_t most) = 0;
  /// Replaces all segments that begin where the first of `segments` begins, or later. The objects
  /// of `segments` are of Names::draw_object, and those of the replaced ones become garbage.
  /// Durable and in one step. `conflict` if another request has taken the upload's turn;
  /// `not_found` unless the upload is receiving.
  virtual Task<Result<void>> replace(UploadTurn turn, std::vector<UploadSegment> segments) = 0;
  /// Removes all segments of an upload that no request works on; their objects become garbage.
  virtual Task<Result<void>> remove(UploadId upload) = 0;
  /// Returns the uploads that have segments.
  virtual Task<Result<std::vector<UploadId>>> uploads() = 0;
};

}  // namespace coffer::storage
