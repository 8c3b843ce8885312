#include "core/transfer/transfer_run.h"

#include <cassert>
#include <utility>

#include "base/error.h"

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

void TransferProgress::cancel(std::optional<Error> reason) {
  const std::lock_guard lock(mutex_);
  if (!cancelled_.exchange(true)) reason_ = std::move(reason);
}

Error TransferProgress::cancellation() const {
  const std::lock_guard lock(mutex_);
  return reason_.value_or(Error{ErrorCode::conflict, "The transfer was cancelled."});
}

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

Result<void> TransferRun::take_bytes(std::uint64_t bytes) {
  if (bytes > left_bytes_) return fail_over_quota();
  left_bytes_ -= bytes;
  return {};
}

Task<Result<void>> TransferRun::recheck() const {
  if (!recheck_) co_return Result<void>();
  co_return co_await recheck_();
}

void TransferRun::stop(Error error) {
  if (!error_) error_ = std::move(error);
}

Result<void> TransferRun::outcome() const {
  if (progress_.was_cancelled()) return std::unexpected(progress_.cancellation());
  if (error_) return std::unexpected(*error_);
  return {};
}

Error about_item(const Path& path, Error error) {
  if (path.is_root()) return error;
  error.message = "\"" + path.str() + "\" could not be transferred: " + error.message;
  return error;
}

bool is_passing(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out;
}

Error source_changed(const TransferRun& run) {
  return {ErrorCode::conflict,
          run.moves()
              ? "The source changed while it was moved, so it stays where it was."
              : "The source changed while it was copied, so nothing was stored. Try again."};
}

bool is_unchanged(const storage::Entry& before, const storage::Entry& now) {
  return before.is_directory == now.is_directory && before.size_bytes == now.size_bytes &&
         before.modified_at == now.modified_at && before.file_id == now.file_id;
}

}  // namespace coffer::core
