#include "core/transfer/transfer_blocks.h"

#include <cassert>
#include <utility>

namespace coffer::core {

std::span<std::byte> BlockPair::block(std::size_t which, std::size_t bytes) {
  assert(bytes <= kBlockBytes);
  Block& block = blocks_.at(which);
  if (block.bytes < bytes) {
    block.memory.reset();
    block.memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    block.bytes = bytes;
  }
  return {block.memory.get(), bytes};
}

std::unique_ptr<BlockPair> BlockPool::take() {
  if (free_.empty()) return std::make_unique<BlockPair>();
  auto pair = std::move(free_.back());
  free_.pop_back();
  return pair;
}

}  // namespace coffer::core
