#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/backend.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::core {

struct TransferOptions {
  std::uint64_t limit_bytes = UINT64_MAX;  ///< `over_quota` if more would be stored.
  std::size_t files_in_flight = 8;         ///< 1 to 12, 3 of them large; each takes 1 MiB at most.
  /// Called before each file and folder, and before the item is published. A failure ends the
  /// transfer. May be empty.
  std::function<Task<Result<void>>()> recheck = {};
  /// Called with the staging path in the destination's backend before anything is stored there, so
  /// that it can be recorded and swept after a crash. Not called if the backend has a staging
  /// folder of its own. A failure ends the transfer. May be empty.
  std::function<Task<Result<void>>(Path)> on_staging;
  /// Called by a move when the item is published, before the source is deleted. After a failure it
  /// is not deleted. May be empty.
  std::function<Task<Result<void>>()> on_shown;
  /// Called by a move when the source has its temporary name, before its last check and deletion,
  /// which may take long; without renames in one step, just before the deletion. After a failure
  /// the source is not deleted. May be empty.
  std::function<Task<Result<void>>()> on_leaving;
};

/// The progress of one transfer, or one copy within a backend, and the way to cancel it. It must
/// outlive the transfer.
class TransferProgress final : public storage::CopyWatch {
 public:
  /// Bytes written at the destination, and files and folders complete there. Safe from any thread.
  std::uint64_t bytes_done() const { return bytes_done_.load(std::memory_order_relaxed); }
  std::uint64_t items_done() const { return items_done_.load(std::memory_order_relaxed); }
  /// The totals found so far, which grow until every folder is listed. Safe from any thread.
  std::uint64_t bytes_total() const { return bytes_total_.load(std::memory_order_relaxed); }
  std::uint64_t items_total() const { return items_total_.load(std::memory_order_relaxed); }

  /// Cancels the transfer before its next block or item, from any thread; it cleans up and fails
  /// with `failed`. A transfer that has published everything still succeeds.
  void cancel() { cancelled_.store(true); }
  /// True after `cancel`.
  bool was_cancelled() const override { return cancelled_.load(); }

  // Valid when the transfer has returned.

  /// The size of what stays at the destination after a failure: the source of a move could not be
  /// deleted, the check of a published file failed, or the disk did not sync the name.
  const std::optional<storage::TreeSize>& kept() const { return kept_; }
  /// The size of what a move deleted at its source, even if the disk failed afterwards.
  const std::optional<storage::TreeSize>& removed() const { return removed_; }

  // For the transfer itself, on its executor.

  void found(std::uint64_t items, std::uint64_t bytes);
  /// An item that was found is gone.
  void lost(std::uint64_t bytes);
  /// A file's size has changed since it was found.
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

/// The two memory blocks of a file transfer: one is read into while the other is written from. Each
/// grows to the largest size needed so far.
class BlockPair {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{512} * 1024;

  /// Returns block 0 or 1 with at least `bytes`, at most kBlockBytes. Its content is undefined.
  std::span<std::byte> block(std::size_t which, std::size_t bytes);

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
  };
  std::array<Block, 2> blocks_;
};

/// Reuses block pairs, so that a transfer has no more of them than files in flight. Not safe for
/// concurrent calls.
class BlockPool {
 public:
  std::unique_ptr<BlockPair> take();
  void give_back(std::unique_ptr<BlockPair> pair) { free_.push_back(std::move(pair)); }

 private:
  std::vector<std::unique_ptr<BlockPair>> free_;
};

/// One end of a transfer: a path in a backend, which must outlive the transfer.
struct TransferEnd {
  storage::Backend& backend;
  Path path;
};

/// The shared state of one transfer's parts, which run on one executor, one at a time.
class TransferRun {
 public:
  /// `recheck` is that of TransferOptions.
  using Recheck = std::function<Task<Result<void>>()>;
  TransferRun(TransferProgress& progress, std::uint64_t limit_bytes, bool moves,
              Recheck recheck = {})
      : progress_(progress),
        left_bytes_(limit_bytes),
        moves_(moves),
        recheck_(std::move(recheck)) {}

  TransferProgress& progress() { return progress_; }
  BlockPool& blocks() { return blocks_; }

  /// The source is deleted at the end.
  bool moves() const { return moves_; }
  /// The staging name of a tree; empty before.
  const std::string& staging_name() const { return staging_name_; }
  bool collects_tree() const { return !staging_name_.empty(); }
  void collect_at(std::string staging_name) { staging_name_ = std::move(staging_name); }

  /// Takes `bytes` from the limit; `over_quota` if fewer are left.
  Result<void> take_bytes(std::uint64_t bytes);

  /// Calls TransferOptions::recheck.
  Task<Result<void>> recheck() const;
  /// Stops the transfer, which fails with the first error.
  void stop(Error error);
  /// True if a part has failed or the transfer was cancelled, so that nothing more may begin.
  bool is_stopped() const { return error_.has_value() || progress_.was_cancelled(); }
  /// Success while the transfer is not stopped; else the error to fail with.
  Result<void> outcome() const;

 private:
  TransferProgress& progress_;
  std::uint64_t left_bytes_;
  bool moves_;
  Recheck recheck_;
  std::string staging_name_;
  BlockPool blocks_;
  std::optional<Error> error_;
};

/// Adds the item's path to an error.
Error about_item(const Path& path, Error error);
/// True for connection failures, after which a retry may succeed.
bool is_passing(const Error& error);
/// The error for a source that changed during the transfer.
Error source_changed(const TransferRun& run);
/// True if both entries have the same type, size, time and file id.
bool is_unchanged(const storage::Entry& before, const storage::Entry& now);

}  // namespace coffer::core
