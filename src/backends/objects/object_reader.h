#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "async/memory_room.h"
#include "backends/objects/blobs.h"
#include "backends/objects/running.h"
#include "storage/names.h"
#include "storage/reader.h"

namespace coffer::objects {

/// Reads a file from memory or from the objects of its content, which it holds no lock on: they
/// stay for a time after the file is gone (see storage::Names::garbage). Has at most two blocks of
/// kBlockBytes in memory, of which the second is read ahead when the file is read in order; where
/// the store's room in memory is short (Blobs::begin_hold), one of kFirstBlockBytes, and where it
/// is ample, one of kLargeBlockBytes and kLargeAhead of them ahead: each request costs a store more
/// than a MiB does, and one alone lets it wait while its answer is on its way.
class ObjectReader final : public storage::Reader {
 public:
  static constexpr std::size_t kBlockBytes = 1 << 20;
  /// The block that is read first after a jump: a client that wants little pays for little.
  static constexpr std::size_t kFirstBlockBytes = 128 << 10;
  /// Those of a file of which some were read one behind the other: a segment each.
  static constexpr std::size_t kLargeBlockBytes = 8 << 20;
  static constexpr std::size_t kBlocksBeforeLarge = 4;
  static constexpr std::size_t kLargeAhead = 2;

  /// Returns a reader; `rate_limited` or `overloaded` if there is no room in memory for the list of
  /// the file's segments. `blobs` must outlive the reader and what it reads ahead.
  static Result<std::unique_ptr<ObjectReader>> make(storage::NamedFile file, Blobs& blobs);

  const storage::Entry& entry() const override { return file_.entry; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::span<const std::byte> view(std::uint64_t offset) override;

 private:
  /// Bytes of the file, or where they are.
  struct Block {
    std::uint64_t begin = 0;
    std::vector<std::byte> bytes;

    std::uint64_t end() const { return begin + bytes.size(); }
    bool holds(std::uint64_t offset) const { return offset >= begin && offset < end(); }
  };
  struct Ahead {
    std::uint64_t begin;
    std::uint64_t end;
    Running<Block> block;
  };

  ObjectReader(storage::NamedFile file, Blobs& blobs);
  bool has_room_for_blocks();
  bool has_room_for_large_blocks();
  std::uint64_t end_of_block(std::uint64_t begin, std::size_t most) const;
  static Task<Result<Block>> load(Blobs& blobs, storage::StoredContentPtr content,
                                  std::size_t segment, std::uint64_t within, Block block);
  Task<Result<Block>> load_at(std::uint64_t begin, std::uint64_t end,
                              std::vector<std::byte> memory);
  Task<Result<void>> move_to(std::uint64_t offset, std::size_t wanted);
  Task<void> read_ahead(std::vector<std::byte> memory);

  const storage::NamedFile file_;
  Blobs& blobs_;
  MemoryRoom::Hold list_room_;
  MemoryRoom::Hold block_room_;
  std::vector<std::uint64_t> ends_;  ///< Where each segment ends in the file.
  Block block_;
  std::deque<Ahead> ahead_;   ///< In the file's order.
  std::size_t in_order_ = 0;  ///< Blocks that were read one behind the other.
};

}  // namespace coffer::objects
