#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace coffer::core {

/// The two blocks of memory that one file passes through: one is read into while the other is
/// written from. Each is as large as the largest file so far needed.
class BlockPair {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{512} * 1024;

  /// Block 0 or 1 with at least `bytes`, at most kBlockBytes of them. What it held is lost.
  std::span<std::byte> block(std::size_t which, std::size_t bytes);

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
  };
  std::array<Block, 2> blocks_;
};

/// Pairs that are used again, so that a transfer holds no more of them than it had files in flight
/// at once. Not safe for concurrent calls.
class BlockPool {
 public:
  std::unique_ptr<BlockPair> take();
  void give_back(std::unique_ptr<BlockPair> pair) { free_.push_back(std::move(pair)); }

 private:
  std::vector<std::unique_ptr<BlockPair>> free_;
};

}  // namespace coffer::core
