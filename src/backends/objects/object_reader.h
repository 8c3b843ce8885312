#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backends/objects/blobs.h"
#include "backends/objects/running.h"
#include "storage/names.h"
#include "storage/reader.h"

namespace coffer::objects {

/// Reads a file from memory or from the objects of its content, which it holds no lock on: they
/// stay for a time after the file is gone (see storage::Names::garbage). Has at most two blocks of
/// kBlockBytes in memory, of which the second is read ahead when the file is read in order.
class ObjectReader final : public storage::Reader {
 public:
  static constexpr std::size_t kBlockBytes = 1 << 20;
  /// The block that is read first after a jump: a client that wants little pays for little.
  static constexpr std::size_t kFirstBlockBytes = 128 << 10;

  /// `blobs` must outlive the reader and what it reads ahead.
  ObjectReader(storage::NamedFile file, Blobs& blobs);

  const storage::Entry& entry() const override { return file_.entry; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;

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
    Running<Block> block;
  };

  static Task<Result<Block>> load(Blobs& blobs, storage::StoredContentPtr content,
                                  std::size_t segment, std::uint64_t within, Block block);
  Task<Result<Block>> load_at(std::uint64_t offset, std::size_t most);
  Task<Result<void>> move_to(std::uint64_t offset, std::size_t wanted);
  Task<void> read_ahead();

  const storage::NamedFile file_;
  Blobs& blobs_;
  std::vector<std::uint64_t> ends_;  ///< Where each segment ends in the file.
  Block block_;
  std::optional<Ahead> ahead_;
};

}  // namespace coffer::objects
