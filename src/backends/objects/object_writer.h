#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "backends/objects/blobs.h"
#include "backends/objects/segment_buffer.h"
#include "backends/objects/segment_sender.h"
#include "storage/names.h"
#include "storage/writer.h"

namespace coffer::objects {

/// Collects a new content. Up to kSmallBytes stay in memory and are published with the name. More
/// goes to the store in segments of kSegmentBytes, while it comes, or in smaller ones where memory
/// is short (SegmentBuffer). Has at most three segments in memory: one that is filled, and two on
/// their way. A writer that is destroyed without being published leaves its objects as garbage (see
/// storage::Names::discard).
class ObjectWriter final : public storage::Writer {
 public:
  static constexpr std::size_t kSmallBytes = 4096;
  static constexpr std::size_t kSegmentBytes = SegmentBuffer::kSegmentBytes;

  /// `target` begins at the tree's root. `names` and `blobs` must outlive the writer, and `blobs`
  /// what is on its way to it.
  ObjectWriter(storage::Names& names, Blobs& blobs, storage::NameTreeId tree, Path target,
               storage::WriteOptions options);
  ~ObjectWriter() override;

  /// Besides what Writer names, fails with the errors of Blobs and Names. After a failure, all
  /// further calls fail with the same error.
  Task<Result<void>> write(std::span<const std::byte> data) override;
  std::uint64_t written_bytes() const override { return written_bytes_; }
  /// Takes over the objects of a file of an ObjectSpool in the same store, when it is published.
  Task<Result<bool>> adopt(storage::SpoolFile& file) override;
  Task<Result<void>> finish() override;
  Task<storage::ItemIdentity> identity() override;
  Task<void> abandon() override;
  Task<std::optional<storage::FileVersion>> shown_version() override;

  /// Returns the file to be published. Call it after `finish`.
  storage::NewFile file() const;
  /// Call it when the file has its name.
  void set_published() { is_published_ = true; }

 private:
  Task<Result<void>> append(std::span<const std::byte> data);
  Task<Result<void>> send_segment();
  Task<Result<void>> copy_small(storage::SpoolFile& file);
  Task<Result<void>> complete();

  storage::Names& names_;
  const Blobs& blobs_;
  const storage::NameTreeId tree_;
  const Path target_;
  const storage::WriteOptions options_;
  SegmentBuffer buffer_;  ///< The segment that is filled.
  SegmentSender sender_;
  storage::StoredContent content_;
  std::optional<storage::UploadTurn> upload_;  ///< That of an adopted file.
  storage::StoredContentPtr finished_;         ///< Set by `finish`.
  Timestamp completed_at_{};
  std::uint64_t written_bytes_ = 0;
  Result<void> state_;  ///< The first failure.
  bool is_published_ = false;
};

}  // namespace coffer::objects
