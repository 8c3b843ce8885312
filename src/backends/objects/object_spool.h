#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/objects/blobs.h"
#include "backends/objects/segment_buffer.h"
#include "backends/objects/segment_sender.h"
#include "storage/names.h"
#include "storage/spool.h"
#include "storage/upload_segments.h"

namespace coffer::objects {

/// Where the bytes of unfinished uploads lie, and where it is noted which objects have them.
struct UploadStore {
  storage::Names& names;
  storage::UploadSegments& segments;
  Blobs& blobs;
};

/// The bytes of an unfinished upload in objects. Full segments go to the store while bytes come;
/// `sync` stores what is left as a shorter segment, and notes all. A noted segment of less than
/// kShortBytes is stored anew together with what comes next, so that many short requests do not
/// make many objects. So is the rest of a segment that is cut. What is noted changes in `sync`
/// alone: an end of the process before leaves the upload as it was.
///
/// Has at most three segments in memory: one that is filled, and two on their way. Where memory is
/// short, segments have kShortBytes (SegmentBuffer). After a failure,
/// all further calls but `read` fail with the same error, and what was appended since the last
/// `sync` is lost; its objects are garbage.
class ObjectSpoolFile final : public storage::SpoolFile {
 public:
  static constexpr std::size_t kShortBytes = 1 << 20;

  /// An empty file, until `move_to` is called.
  ObjectSpoolFile(UploadStore store, storage::UploadTurn turn);
  ~ObjectSpoolFile() override;
  /// Cuts the file to that many of the noted bytes. `not_found` if there are fewer. Stores nothing.
  Task<Result<void>> move_to(std::uint64_t size_bytes);

  std::uint64_t size_bytes() const override { return size_bytes_; }
  Task<Result<void>> append(std::span<const std::byte> data) override;
  Task<Result<void>> sync() override;
  Task<Result<void>> truncate(std::uint64_t size_bytes) override;
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;

  const storage::UploadTurn& turn() const { return turn_; }
  bool is_in(const storage::Names& names, const Blobs& blobs) const {
    return &names == &store_.names && &blobs.whole() == &store_.blobs.whole();
  }
  /// Returns true if the noted segments have the bytes of the file, and no others.
  bool is_noted() const { return is_noted_; }

 private:
  /// The first bytes of an object.
  struct Prefix {
    ObjectId object;
    std::uint64_t size_bytes = 0;
  };

  Task<Result<void>> append_all(std::span<const std::byte> data);
  Task<Result<void>> load_rest();
  Task<Result<void>> send_segment();
  Task<Result<void>> send_short_segment();
  Task<Result<void>> note();
  Task<Result<void>> cut(std::uint64_t size_bytes);
  Task<Result<void>> cut_sent(std::uint64_t size_bytes);
  Task<Result<storage::UploadSegment>> segment_at(std::uint64_t offset);
  void discard_from(std::uint64_t at_byte);

  const UploadStore store_;
  const storage::UploadTurn turn_;
  SegmentSender sender_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t sent_bytes_ = 0;  ///< Where `buffer_` begins in the file.
  SegmentBuffer buffer_;          ///< The last bytes of the file, unless they are in `rest_`.
  std::optional<Prefix> rest_;    ///< The last bytes of the file, which are not loaded yet.
  std::vector<storage::UploadSegment> unnoted_;  ///< The last ones that were sent.
  std::vector<storage::UploadSegment> found_;    ///< Some noted ones.
  bool has_appended_ = false;                    ///< Since the last `sync`.
  bool is_noted_ = false;
  Result<void> state_;  ///< The first failure.
};

/// A spool in a store of objects. Several servers may use it, and each can go on with an upload
/// that another began: the last that took the upload's turn notes what it has stored, and the notes
/// of others fail. A writer of an ObjectBackend in the same store takes over the objects of a spool
/// file when it is published (see storage::NewFile). Safe from any thread.
class ObjectSpool final : public storage::Spool {
 public:
  /// What `store` refers to must outlive the spool and its files, and `blobs` what is on its way.
  explicit ObjectSpool(UploadStore store) : store_(store) {}

  Task<Result<std::unique_ptr<storage::SpoolFile>>> open(storage::UploadTurn turn,
                                                         std::uint64_t size_bytes,
                                                         Pool& pool) override;
  Task<Result<void>> remove(std::string name, Pool& pool) override;
  Task<Result<std::vector<std::string>>> names(Pool& pool) override;
  /// Returns 256 GiB: a store does not tell what it has room for, and what accounts have here
  /// counts to no quota while it waits for other places.
  Task<Result<std::uint64_t>> free_bytes(Pool& pool) override;

 private:
  const UploadStore store_;
};

}  // namespace coffer::objects
