#include "core/transfer/transfer_progress.h"

namespace coffer::core {

void TransferProgress::found(std::uint64_t items, std::uint64_t bytes) {
  items_total_.fetch_add(items, std::memory_order_relaxed);
  bytes_total_.fetch_add(bytes, std::memory_order_relaxed);
}

void TransferProgress::lost(std::uint64_t bytes) {
  items_total_.fetch_sub(1, std::memory_order_relaxed);
  bytes_total_.fetch_sub(bytes, std::memory_order_relaxed);
}

void TransferProgress::resized(std::uint64_t from_bytes, std::uint64_t to_bytes) {
  // Unsigned arithmetic wraps around, so one step serves growing and shrinking.
  bytes_total_.fetch_add(to_bytes - from_bytes, std::memory_order_relaxed);
}

}  // namespace coffer::core
