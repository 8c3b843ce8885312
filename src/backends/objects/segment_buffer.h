#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "async/memory_room.h"
#include "backends/objects/blobs.h"

namespace coffer::objects {

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
class Hash {
 public:
  Hash();
  void update(std::span<const std::byte> bytes);
  /// Returns the hash, and begins anew.
  Sha256 take();

 private:
  struct Closing {
    void operator()(EVP_MD_CTX* context) const;
  };
  void begin();

  std::unique_ptr<EVP_MD_CTX, Closing> context_;
};

/// The bytes of a segment, and the room in memory that they take.
struct FilledSegment {
  std::vector<std::byte> bytes;
  Sha256 sha256{};
  MemoryRoom::Hold room = {};
};

/// The bytes of a segment that is filled, up to kSegmentBytes. Grows as bytes come. Where the
/// store's room in memory is short (Blobs::begin_hold), the segment is full earlier, but has at
/// least as many bytes as it is told. Not safe for concurrent calls.
class SegmentBuffer {
 public:
  static constexpr std::size_t kSegmentBytes = 8 << 20;

  /// `least` is between 1 and kSegmentBytes. `blobs` must outlive the buffer.
  SegmentBuffer(Blobs& blobs, std::size_t least) : blobs_(blobs), least_(least) {}

  /// Appends some of the data, at least a byte if there is any and the segment is not full. Returns
  /// how many bytes.
  std::size_t append(std::span<const std::byte> data);
  bool is_full() const { return bytes_.size() >= most_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool is_empty() const { return bytes_.empty(); }

  /// Replaces all bytes; at most kSegmentBytes, which a store has in one object.
  void set(std::vector<std::byte> bytes);
  std::vector<std::byte> take_bytes() { return take().bytes; }
  /// Returns the segment, and begins another one.
  FilledSegment take();
  /// Returns a copy of the segment, which goes on.
  FilledSegment copy();
  /// From now on, segments have at least so many bytes.
  void set_least(std::size_t least) { least_ = least; }

 private:
  void grow(std::size_t needed);

  Blobs& blobs_;
  std::size_t least_;
  std::size_t most_ = kSegmentBytes;  ///< The segment is full with so many.
  std::vector<std::byte> bytes_;
  Hash hash_;  ///< Of `bytes_`.
  MemoryRoom::Hold room_;
};

}  // namespace coffer::objects
