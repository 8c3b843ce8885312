#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "backends/rclone/engine/http_exchange.h"
#include "backends/rclone/fetched_files.h"
#include "storage/reader.h"

namespace coffer::rclone {

/// Reads one of FetchedFiles. All failures are `unavailable`: the drive may still have the file.
class FetchedReader final : public storage::Reader {
 public:
  FetchedReader(std::shared_ptr<const FetchedFiles> files, storage::Entry entry)
      : files_(std::move(files)), entry_(std::move(entry)) {}

  const storage::Entry& entry() const override { return entry_; }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override;
  std::optional<std::size_t> read_now(std::uint64_t /*offset*/,
                                      std::span<std::byte> /*out*/) override {
    return std::nullopt;
  }
  std::optional<int> descriptor() const override { return std::nullopt; }

 private:
  Task<Result<void>> begin_at(std::uint64_t offset);
  Task<Result<std::size_t>> read_some(std::uint64_t offset, std::span<std::byte> out);

  const std::shared_ptr<const FetchedFiles> files_;
  const storage::Entry entry_;
  std::unique_ptr<HttpExchange> talk_;
  std::uint64_t position_ = 0;  ///< Of the next byte that it brings.
};

/// As storage::Backend::open_together says. The folder is listed again once all was fetched: each
/// file must be what `files` say before and after.
Task<std::vector<std::unique_ptr<storage::Reader>>> open_fetched(
    std::shared_ptr<DriveRemote> remote, const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& watch);

}  // namespace coffer::rclone
