#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::core {

/// How far a transfer, or a copy within a backend, is, and the way to stop it. One object for one
/// of them; it outlives it.
class TransferProgress final : public storage::CopyWatch {
 public:
  /// Bytes written at the destination, and files and folders complete there. Any thread may ask.
  std::uint64_t bytes_done() const { return bytes_done_.load(std::memory_order_relaxed); }
  std::uint64_t items_done() const { return items_done_.load(std::memory_order_relaxed); }
  /// What was found so far; they grow until every folder was listed. Any thread may ask.
  std::uint64_t bytes_total() const { return bytes_total_.load(std::memory_order_relaxed); }
  std::uint64_t items_total() const { return items_total_.load(std::memory_order_relaxed); }

  /// Stops the transfer before its next block or item, from any thread; it cleans up and fails with
  /// `failed`. Once everything stands under its name, it succeeds all the same.
  void cancel() { cancelled_.store(true); }
  /// True after `cancel`: why a transfer failed that did not succeed.
  bool was_cancelled() const override { return cancelled_.load(); }

  // To be asked when the transfer has returned.

  /// What stands at the destination although it failed: the source of a move could not be deleted,
  /// a file looked wrong once it showed, when its name may be another's already, or the disk did
  /// not take the name.
  const std::optional<storage::TreeSize>& kept() const { return kept_; }
  /// What a move deleted at its source, also where the disk failed afterwards.
  const std::optional<storage::TreeSize>& removed() const { return removed_; }

  // For the transfer itself, on its own executor.

  void found(std::uint64_t items, std::uint64_t bytes);
  /// An item that was found is not there any more.
  void lost(std::uint64_t bytes);
  /// A file has another size than it was found with.
  void resized(std::uint64_t from_bytes, std::uint64_t to_bytes);
  void wrote(std::uint64_t bytes) override {
    bytes_done_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void completed_item() override { items_done_.fetch_add(1, std::memory_order_relaxed); }
  void keep(const storage::TreeSize& size) override { kept_ = size; }
  void remove(const storage::TreeSize& size) { removed_ = size; }

 private:
  std::atomic<std::uint64_t> bytes_done_ = 0;
  std::atomic<std::uint64_t> bytes_total_ = 0;
  std::atomic<std::uint64_t> items_done_ = 0;
  std::atomic<std::uint64_t> items_total_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::optional<storage::TreeSize> kept_;
  std::optional<storage::TreeSize> removed_;
};

}  // namespace coffer::core
