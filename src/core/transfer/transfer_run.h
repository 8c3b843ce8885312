#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
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

struct CopiedSource;

struct TransferOptions {
  std::uint64_t limit_bytes = UINT64_MAX;  ///< `over_quota` if the transfer would store more.
  /// The number of files that are copied at once: 1 to 12, at most 3 of them large. Each needs up
  /// to 1 MiB of memory.
  std::size_t files_in_flight = 8;
  /// Checks whether the transfer may continue. Called before each file and folder of a tree. A
  /// failure ends the transfer. May be empty.
  std::function<Task<Result<void>>()> recheck = {};
  /// Called before content is stored, with the path at which the destination's backend collects it.
  /// The caller must record this path and remove the item there after a crash. Not called for a
  /// file in a backend with a staging folder. A failure ends the transfer. May be empty.
  std::function<Task<Result<void>>(Path)> on_staging;
  /// Called by a move just before `may_show`, with what it has copied. A failure ends the transfer.
  /// May be empty.
  std::function<Task<Result<void>>(const CopiedSource&)> on_copied = {};
  /// Called just before the item is published. A failure ends the transfer. May be empty.
  std::function<Task<Result<void>>()> may_show;
  /// Called if a folder is not published, before the stored part of it is removed, which may take
  /// long. May be empty.
  std::function<Task<void>()> on_not_shown;
  /// The name that a move gives its source in the end (see transfer_move). Absent: a new one.
  std::optional<Name> aside = {};
  /// Called by a move between the last check of the source and its deletion, which may take long. A
  /// failure leaves the source in place. May be empty.
  std::function<Task<Result<void>>()> on_leaving;
};

/// The progress of one transfer, or of one Backend::copy, which can also be cancelled through it.
/// Must outlive the transfer or copy.
class TransferProgress final : public storage::CopyWatch {
 public:
  /// The bytes written and the items completed at the destination. Safe from any thread.
  std::uint64_t bytes_done() const { return bytes_done_.load(std::memory_order_relaxed); }
  std::uint64_t items_done() const { return items_done_.load(std::memory_order_relaxed); }
  /// The totals found so far. They grow until every folder is listed. Safe from any thread.
  std::uint64_t bytes_total() const { return bytes_total_.load(std::memory_order_relaxed); }
  std::uint64_t items_total() const { return items_total_.load(std::memory_order_relaxed); }

  /// Cancels the transfer before its next block or item. Safe from any thread. The transfer cleans
  /// up and fails with the reason of the first call, or with `conflict` if that gave none; a copy
  /// within a backend fails with `failed`. If everything is published already, the transfer still
  /// succeeds, unless the source of a move is being checked for the last time: then the copy and
  /// the source both stay.
  void cancel(std::optional<Error> reason = std::nullopt);
  bool was_cancelled() const override { return cancelled_.load(); }
  /// The error of a transfer that was cancelled. Safe from any thread.
  Error cancellation() const;

  // The following results are valid after the transfer has returned.

  /// The size of the item that stays at the destination although the transfer failed; nullopt if
  /// none stays. An item stays if the source of a move changed or could not be deleted, a published
  /// file failed its last check, or the item's new name could not be synced to the disk.
  const std::optional<storage::TreeSize>& kept() const { return kept_; }
  /// The size of the source that a move deleted. Set even if the deletion could not be synced.
  const std::optional<storage::TreeSize>& removed() const { return removed_; }
  /// Returns true if the source of a failed move may be left without its own name.
  bool lost_source() const { return lost_source_; }

  // Called only by the transfer, on its executor, or by a copy within a backend, on its threads.

  /// Adds items to the totals.
  void found(std::uint64_t items, std::uint64_t bytes);
  /// Subtracts from the totals an item that was found before, but does not exist any more.
  void lost(std::uint64_t bytes);
  /// Corrects the totals after a file's size has changed since the file was found.
  void resized(std::uint64_t from_bytes, std::uint64_t to_bytes);
  void wrote(std::uint64_t bytes) override {
    bytes_done_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void completed_item() override { items_done_.fetch_add(1, std::memory_order_relaxed); }
  void keep(const storage::TreeSize& size) override { kept_ = size; }
  void remove(const storage::TreeSize& size) { removed_ = size; }
  void lose_source() { lost_source_ = true; }

 private:
  std::atomic<std::uint64_t> bytes_done_ = 0;
  std::atomic<std::uint64_t> bytes_total_ = 0;
  std::atomic<std::uint64_t> items_done_ = 0;
  std::atomic<std::uint64_t> items_total_ = 0;
  std::atomic<bool> cancelled_ = false;
  mutable std::mutex mutex_;
  std::optional<Error> reason_;  ///< Guarded by mutex_.
  std::optional<storage::TreeSize> kept_;
  std::optional<storage::TreeSize> removed_;
  bool lost_source_ = false;
};

/// The two memory blocks of a file transfer: one is filled from the source while the other is
/// written to the destination. Each block grows to the largest size that was needed so far.
class BlockPair {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{512} * 1024;

  /// Returns the first `bytes` bytes of block 0 or 1, with undefined content. `bytes` is at most
  /// kBlockBytes.
  std::span<std::byte> block(std::size_t which, std::size_t bytes);

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
  };
  std::array<Block, 2> blocks_;
};

/// Reuses block pairs, so that a transfer needs only one pair for each file that it copies at once.
/// Not safe for concurrent calls.
class BlockPool {
 public:
  std::unique_ptr<BlockPair> take();
  void give_back(std::unique_ptr<BlockPair> pair) { free_.push_back(std::move(pair)); }

 private:
  std::vector<std::unique_ptr<BlockPair>> free_;
};

/// One end of a transfer: a path in a backend. The backend must outlive the transfer.
struct TransferEnd {
  storage::Backend& backend;
  Path path;
};

/// The state that all coroutines of one transfer share. Only one of them may run at a time.
class TransferRun {
 public:
  using Recheck = std::function<Task<Result<void>>()>;
  TransferRun(TransferProgress& progress, std::uint64_t limit_bytes, bool moves,
              Recheck recheck = {})
      : progress_(progress),
        left_bytes_(limit_bytes),
        moves_(moves),
        recheck_(std::move(recheck)) {}

  TransferProgress& progress() { return progress_; }
  BlockPool& blocks() { return blocks_; }

  /// Returns true for a move, which deletes the source at the end.
  bool moves() const { return moves_; }
  /// Returns the partial name that a tree has until it is complete; empty without `collect_at`.
  const std::string& staging_name() const { return staging_name_; }
  bool collects_tree() const { return !staging_name_.empty(); }
  void collect_at(std::string staging_name) { staging_name_ = std::move(staging_name); }

  /// Subtracts `bytes` from the bytes that may still be stored; `over_quota` if too few are left.
  Result<void> take_bytes(std::uint64_t bytes);

  /// Calls TransferOptions::recheck, unless it is empty.
  Task<Result<void>> recheck() const;
  /// Stops the transfer. The transfer fails with the error of the first call.
  void stop(Error error);
  /// Returns true after `stop` or a cancellation. The transfer must then begin no further work.
  bool is_stopped() const { return error_.has_value() || progress_.was_cancelled(); }
  /// Returns success if the transfer is not stopped; otherwise its error.
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

/// Adds the item's path to the message of an error.
Error about_item(const Path& path, Error error);
/// Returns true for connection failures, after which a retry may succeed.
bool is_passing(const Error& error);
/// Returns the error for a source that changed during the transfer.
Error source_changed(const TransferRun& run);
/// Returns true if both entries have the same type, size, modification time and file id.
bool is_unchanged(const storage::Entry& before, const storage::Entry& now);

}  // namespace coffer::core
