#pragma once

#include <memory>

#include "backends/rclone/drive_remote.h"
#include "backends/rclone/engine/http_exchange.h"
#include "storage/reader.h"

namespace coffer::rclone {

/// Reads one file as a stream that begins where it is first read; a jump begins another. It fails
/// where the file is not of the size, or not of the time, that it had when it was opened.
class DriveReader final : public storage::Reader {
 public:
  DriveReader(std::shared_ptr<DriveRemote> remote, Path path, storage::Entry entry)
      : remote_(std::move(remote)), path_(std::move(path)), entry_(std::move(entry)) {}

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<int> descriptor() const override { return std::nullopt; }

 private:
  Task<Result<void>> begin_at(std::uint64_t offset);
  Task<Result<std::size_t>> read_some(std::uint64_t offset, std::span<std::byte> out);
  Task<Result<void>> check_file(std::uint64_t offset);

  const std::shared_ptr<DriveRemote> remote_;
  const Path path_;
  const storage::Entry entry_;
  std::unique_ptr<HttpExchange> talk_;
  std::uint64_t position_ = 0;  ///< Of the next byte that it brings.
};

}  // namespace coffer::rclone
