#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/rclone/drive_remote.h"
#include "backends/rclone/engine/http_exchange.h"
#include "storage/copy.h"
#include "storage/reader.h"

namespace coffer::rclone {

/// Reads one file that the engine (rclone process) serves by HTTP. The first read starts a stream
/// (HttpExchange). A read at another offset than the end of the previous read starts a new stream.
class StreamReader : public storage::Reader {
 public:
  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;

 protected:
  /// A read that gets no byte within `stall` fails with `timed_out` and the message `too_slow`.
  /// `too_slow` must be a literal, since it is not copied.
  StreamReader(storage::Entry entry, std::chrono::steady_clock::duration stall,
               std::string_view too_slow)
      : entry_(std::move(entry)), stall_(stall), too_slow_(too_slow) {}

  /// Uses `exchange` to request the file's content from `offset` to the end.
  virtual Task<Result<void>> begin_at(std::uint64_t offset, HttpExchange& exchange) = 0;
  /// Converts the error of a failed read to the error that `read` returns.
  virtual Error explained(Error error) const { return error; }

 private:
  Task<Result<std::size_t>> read_some(std::uint64_t offset, std::span<std::byte> out);

  const storage::Entry entry_;
  const std::chrono::steady_clock::duration stall_;
  const std::string_view too_slow_;
  std::unique_ptr<HttpExchange> exchange_;
  std::uint64_t position_ = 0;  ///< The offset of the stream's next byte.
};

/// Reads one file of a drive. A read that starts a stream also checks the file's size and
/// modification time, and fails with `refused` if the file has changed since it was opened.
class DriveReader final : public StreamReader {
 public:
  DriveReader(std::shared_ptr<DriveRemote> remote, Path path, storage::Entry entry)
      : StreamReader(std::move(entry), remote->options.deadlines.stall,
                     "The drive does not send the file in time."),
        remote_(std::move(remote)),
        path_(std::move(path)) {}

 private:
  Task<Result<void>> begin_at(std::uint64_t offset, HttpExchange& exchange) override;

  const std::shared_ptr<DriveRemote> remote_;
  const Path path_;
  RcloneProcess::Run run_;  ///< The run of the engine that sends the present stream.
};

/// Opens small files together; see storage::Backend::open_together. rclone copies the files into
/// its memory (its remote `:memory:`), with one listing of their folder and one request for each
/// file. Opening each file alone would also need a lookup of each file. Then rclone lists the
/// folder again: only files that have not changed get a reader. The copies are deleted in the
/// background after the last reader is destroyed. If the engine ends, the copies are lost.
Task<std::vector<std::unique_ptr<storage::Reader>>> open_fetched(
    std::shared_ptr<DriveRemote> remote, const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& watch);

}  // namespace coffer::rclone
