#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "async/task.h"
#include "core/transfer/transfer_run.h"

namespace coffer::core {

/// One file on its way: opened, copied out of sight, shown. The steps are called in this order, and
/// not one again. What is not published leaves nothing behind.
class FileTransfer {
 public:
  FileTransfer(const TransferEnd& from, const TransferEnd& to, TransferRun& run)
      : from_(from), to_(to), run_(run) {}

  /// Opens the source, unless that is `opened` already, and begins the destination. False if the
  /// source is not there; `over_quota` if it does not fit.
  Task<Result<bool>> open(std::unique_ptr<storage::Reader> opened = nullptr);
  /// Where the destination collects it, if not out of sight: a path in its backend.
  std::optional<Path> staged_at() const;
  /// The source as it was opened.
  const storage::Entry& entry() const { return reader_->entry(); }
  /// Copies the content and ends it. A read that the connection broke goes on where it was, once,
  /// if the file is still the same. `conflict` if the file is not as long as it was when opened.
  Task<Result<void>> copy();
  /// Shows it under its name; `exists` if that is taken.
  Task<Result<void>> publish();
  /// After a failure: when this returns, nothing more comes to the destination.
  Task<void> abandon();

 private:
  Task<Result<void>> pump(BlockPair& blocks);
  Task<Result<std::size_t>> fill(std::span<std::byte> block);
  Task<Result<std::size_t>> read(std::span<std::byte> out);
  Task<bool> is_gone(const Error& error);
  Task<Result<void>> write(std::span<const std::byte> data);

  const TransferEnd& from_;
  const TransferEnd& to_;
  TransferRun& run_;
  std::unique_ptr<storage::Reader> reader_;
  std::unique_ptr<storage::Writer> writer_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t read_bytes_ = 0;
  bool has_resumed_ = false;
};

}  // namespace coffer::core
