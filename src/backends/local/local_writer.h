#pragma once

#include <string>
#include <vector>

#include "backends/local/handle.h"
#include "backends/local/volume.h"
#include "base/path.h"
#include "storage/backend.h"

namespace coffer::local {

/// Collects a file in the staging folder. Small contents stay in memory until `finish`, which then
/// makes, writes and syncs the file in one step.
class LocalWriter final : public storage::Writer {
 public:
  LocalWriter(Volume& volume, Path target, storage::WriteOptions options);
  ~LocalWriter() override;

  Task<Result<void>> write(std::span<const std::byte> data) override;
  std::uint64_t written_bytes() const override { return written_bytes_; }
  Task<Result<void>> finish() override;
  /// What `finish` does; nothing if it was done. Blocks.
  Result<void> complete();

  const Path& target() const { return target_; }
  storage::IfTaken if_taken() const { return options_.if_taken; }
  /// The file's name in the staging folder.
  const std::string& staged_name() const { return staged_name_; }
  /// Tells the finished file from whatever else may take its name later.
  std::uint64_t inode() const { return inode_; }
  /// Nothing is in the staging folder under that name any more, or it is to be reclaimed by others.
  void release() { staged_name_.clear(); }

 private:
  Result<void> store(std::span<const std::byte> data);
  Result<void> open_staged();
  Result<void> write_all(std::span<const std::byte> data);

  Volume& volume_;
  const Path target_;
  const storage::WriteOptions options_;
  std::vector<std::byte> buffered_;
  std::string staged_name_;
  Handle file_;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t stored_bytes_ = 0;
  std::uint64_t flushed_bytes_ = 0;
  std::uint64_t inode_ = 0;
  bool finished_ = false;
  bool broken_ = false;
};

}  // namespace coffer::local
