#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "async/task.h"
#include "core/transfer/transfer_run.h"

namespace coffer::core {

/// Copies one file. Call `open`, `copy` and `publish` once each, in this order. If the file is not
/// published, its content is removed (but see storage::WriteOptions::out_of_sight).
class FileTransfer {
 public:
  FileTransfer(const TransferEnd& from, const TransferEnd& to, TransferRun& run)
      : from_(from), to_(to), run_(run) {}

  /// Opens the source and a writer at the destination. If the caller has already opened the source,
  /// `opened` is its reader. Returns false if the source does not exist. `over_quota` if the file
  /// exceeds the limit (see TransferRun::take_bytes).
  Task<Result<bool>> open(std::unique_ptr<storage::Reader> opened = nullptr);
  /// Returns the path in the destination's backend at which the content is collected before it is
  /// published; nullopt if the backend collects it elsewhere, in a staging folder.
  std::optional<Path> staged_at() const;
  /// Returns the entry of the source as it was when the source was opened.
  const storage::Entry& entry() const { return reader_->entry(); }
  /// Copies the content. If the connection to the source breaks, opens the source a second time and
  /// continues. `conflict` if the source is deleted or becomes shorter during the copy, or has
  /// changed when it is opened for the second time.
  Task<Result<void>> copy();
  /// Returns the identity that the copy will have (see storage::Writer::identity). Call it between
  /// `copy` and `publish`.
  Task<storage::ItemIdentity> identity() { return writer_->identity(); }
  /// Publishes the file; `exists` if the name is taken.
  Task<Result<void>> publish();
  /// Aborts the transfer after a failure. After the return, nothing more is written to the
  /// destination.
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
