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

/// Reads one file of the engine as a stream that starts at the first read; a read at another offset
/// starts another stream.
class StreamReader : public storage::Reader {
 public:
  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<int> descriptor() const override { return std::nullopt; }

 protected:
  /// A read without a byte for `stall` is `timed_out` with that message.
  StreamReader(storage::Entry entry, std::chrono::steady_clock::duration stall,
               std::string_view too_slow)
      : entry_(std::move(entry)), stall_(stall), too_slow_(too_slow) {}

  /// Starts `exchange` at the offset.
  virtual Task<Result<void>> begin_at(std::uint64_t offset, HttpExchange& exchange) = 0;
  /// Maps the error of a failed read.
  virtual Error explained(Error error) const { return error; }

 private:
  Task<Result<std::size_t>> read_some(std::uint64_t offset, std::span<std::byte> out);

  const storage::Entry entry_;
  const std::chrono::steady_clock::duration stall_;
  const std::string_view too_slow_;
  std::unique_ptr<HttpExchange> exchange_;
  std::uint64_t position_ = 0;  ///< The offset of its next byte.
};

/// Reads one file of a drive. Fails if the file is not of the size and the time that it had when it
/// was opened.
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
};

/// Opens small files as storage::Backend::open_together says: rclone fetches them together into its
/// memory (its remote `:memory:`), with one listing of their folder and one request for each.
/// Opened one by one, each would be looked up first. The folder is listed again after the fetch:
/// each file must be unchanged before and after. The copies are dropped, in the background, with
/// the last reader, or when the engine ends.
Task<std::vector<std::unique_ptr<storage::Reader>>> open_fetched(
    std::shared_ptr<DriveRemote> remote, const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& watch);

}  // namespace coffer::rclone
