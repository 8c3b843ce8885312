#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/transfer/transfer_blocks.h"
#include "core/transfer/transfer_progress.h"
#include "storage/backend.h"

namespace coffer::core {

/// One side of a transfer: a place in a backend, which outlives the transfer.
struct TransferEnd {
  storage::Backend& backend;
  Path path;
};

/// What the parts of one transfer share. All of them run on one executor, one at a time.
class TransferRun {
 public:
  /// `recheck` is that of TransferOptions.
  using Recheck = std::function<Task<Result<void>>()>;
  TransferRun(TransferProgress& progress, std::uint64_t limit_bytes, bool moves,
              Recheck recheck = {})
      : progress_(progress),
        room_bytes_(limit_bytes),
        moves_(moves),
        recheck_(std::move(recheck)) {}

  TransferProgress& progress() { return progress_; }
  BlockPool& blocks() { return blocks_; }

  /// The source is deleted at the end.
  bool moves() const { return moves_; }
  /// The name under which a tree is collected; empty before.
  const std::string& staging_name() const { return staging_name_; }
  bool collects_tree() const { return !staging_name_.empty(); }
  void collect_at(std::string staging_name) { staging_name_ = std::move(staging_name); }

  /// Takes `bytes` of the room; `over_quota` if there are not as many left.
  Result<void> take_room(std::uint64_t bytes);

  /// Success as long as the work may go on.
  Task<Result<void>> recheck() const;
  /// Ends the work: the first error is what the transfer fails with.
  void stop(Error error);
  /// True when nothing more is to be begun: a part has failed, or the transfer was cancelled.
  bool is_stopped() const { return error_.has_value() || progress_.was_cancelled(); }
  /// Success as long as it is not stopped. Of a cancelled transfer, that it was.
  Result<void> outcome() const;

 private:
  TransferProgress& progress_;
  std::uint64_t room_bytes_;
  bool moves_;
  Recheck recheck_;
  std::string staging_name_;
  BlockPool blocks_;
  std::optional<Error> error_;
};

/// The same error, saying which item it is about.
Error about_item(const Path& path, Error error);
/// True for failures of a connection, which another try may not meet.
bool is_passing(const Error& error);
/// Ends a transfer whose source is no longer what it was when the transfer began.
Error source_changed(const TransferRun& run);
/// True if both tell of the same content, as far as can be seen without reading it.
bool is_unchanged(const storage::Entry& before, const storage::Entry& now);

}  // namespace coffer::core
