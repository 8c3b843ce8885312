#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "backends/objects/blobs.h"
#include "backends/objects/running.h"
#include "storage/names.h"

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

/// Stores segments as new objects, two at a time. Not safe for concurrent calls.
class SegmentSender {
 public:
  static constexpr std::size_t kSegmentBytes = 8 << 20;
  static constexpr std::size_t kMostUnderWay = 2;

  /// `names` must outlive the sender, and `blobs` what is on its way to it.
  SegmentSender(storage::Names& names, Blobs& blobs) : names_(names), blobs_(blobs) {}

  /// Begins to store up to kSegmentBytes as a new object, and waits before as long as as many are
  /// under way as may be. Returns the segment, which is stored if `wait_for_all` succeeds. Its
  /// object is the caller's to discard. After a failure, which may be that of an earlier segment,
  /// there is no new object.
  Task<Result<storage::Segment>> send(std::vector<std::byte> bytes, Sha256 sha256);
  /// Waits until nothing is under way. Returns the first failure.
  Task<Result<void>> wait_for_all();

 private:
  Task<Result<void>> wait_for_oldest();
  static Task<Result<void>> put(Blobs& blobs, ObjectId id,
                                std::shared_ptr<const std::vector<std::byte>> bytes, Sha256 hash);

  storage::Names& names_;
  Blobs& blobs_;
  std::deque<Running<void>> under_way_;
};

}  // namespace coffer::objects
