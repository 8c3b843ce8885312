#pragma once

#include <optional>
#include <vector>

#include "backends/local/lookup.h"
#include "backends/local/staged_file.h"
#include "backends/local/status.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/backend.h"
#include "storage/writer.h"

namespace coffer::local {

/// The item that a new file would replace; nullopt if the name is free. `exists` if it is a folder,
/// a link to a folder, or neither file nor link; otherwise fails as `check_taken` does, for a link
/// with the state of its target.
Result<std::optional<Status>> replaceable(const Lookup& lookup, int folder, const Path& target,
                                          const storage::WriteOptions& options);

/// Collects a file out of sight. Small contents stay in memory until the end, which then makes,
/// writes and syncs the file in one step.
class LocalWriter final : public storage::Writer {
 public:
  LocalWriter(const Lookup& lookup, Path target, storage::WriteOptions options);

  Task<Result<void>> write(std::span<const std::byte> data) override;
  std::uint64_t written_bytes() const override { return written_bytes_; }
  Task<Result<bool>> adopt(int descriptor, std::uint64_t size_bytes) override;
  Task<Result<void>> finish() override;
  Task<std::optional<storage::FileVersion>> shown_version() override;
  /// Ends the content and, if the volume is durable, brings it to the disk, so that a crash never
  /// shows half a file. `wholly`: also the file's metadata, before it replaces another. Keeps the
  /// descriptor; does nothing if that was done. Blocks.
  Result<void> complete(bool wholly);

  const Path& target() const { return target_; }
  const storage::WriteOptions& options() const { return options_; }
  /// True if the name was taken when a large content began; small ones do not check.
  bool expects_to_replace() const { return replaces_; }
  StagedFile& file() { return file_; }

 private:
  Result<void> begin_large();
  Result<bool> adopt_here(int descriptor, std::uint64_t size_bytes);
  Result<void> store(std::span<const std::byte> data);
  Result<void> end_content();
  Result<void> sync(bool wholly);
  Result<void> set_aside();
  Result<void> append(std::span<const std::byte> data);

  const Lookup& lookup_;
  Volume& volume_;
  const Path target_;
  const storage::WriteOptions options_;
  std::vector<std::byte> buffered_;
  StagedFile file_;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t stored_bytes_ = 0;
  std::uint64_t flushed_bytes_ = 0;
  bool replaces_ = false;
  bool ended_ = false;  ///< The whole content is in the file.
  bool safe_ = false;   ///< The content is on the disk, if the volume is durable.
  bool broken_ = false;
};

}  // namespace coffer::local
