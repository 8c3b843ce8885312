#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "async/task.h"
#include "core/transfer/transfer_run.h"

namespace coffer::core {

/// The transfer of one file: `open`, `copy`, `publish`, each called once in this order. A file that
/// is not published leaves nothing.
class FileTransfer {
 public:
  FileTransfer(const TransferEnd& from, const TransferEnd& to, TransferRun& run)
      : from_(from), to_(to), run_(run) {}

  /// Opens the source, unless it is `opened` already, and begins the destination. False if the
  /// source does not exist; `over_quota` if it does not fit.
  Task<Result<bool>> open(std::unique_ptr<storage::Reader> opened = nullptr);
  /// The staging path in the destination's backend; nullopt if the backend has a staging folder.
  std::optional<Path> staged_at() const;
  /// The source as it was opened.
  const storage::Entry& entry() const { return reader_->entry(); }
  /// Copies the content. Resumes once after a broken connection if the file is unchanged.
  /// `conflict` if its length changed since it was opened.
  Task<Result<void>> copy();
  /// Publishes the file; `exists` if the name is taken.
  Task<Result<void>> publish();
  /// Aborts after a failure; when it returns, nothing more is written to the destination.
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
