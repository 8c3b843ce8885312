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

/// Returns the status of the item that a new file at `target` would replace; nullopt if the name is
/// free. `folder` is the target's open folder. `exists` if the item is:
/// - a folder,
/// - a symbolic link to a folder,
/// - a device, socket or FIFO.
///
/// Otherwise fails if storage::check_taken fails. For a symbolic link to a file, check_taken gets
/// the version of that file.
Result<std::optional<Status>> replaceable(const Lookup& lookup, int folder, const Path& target,
                                          const storage::WriteOptions& options);

/// Collects the content of a new file. Clients do not see the file until it is published. Small
/// content stays in memory until it is complete; only then the file is created and written.
class LocalWriter final : public storage::Writer {
 public:
  LocalWriter(const Lookup& lookup, Path target, storage::WriteOptions options);

  Task<Result<void>> write(std::span<const std::byte> data) override;
  std::uint64_t written_bytes() const override { return written_bytes_; }
  Task<Result<bool>> adopt(storage::SpoolFile& file) override;
  Task<Result<void>> finish() override;
  Task<storage::ItemIdentity> identity() override;
  Task<std::optional<storage::FileVersion>> shown_version() override;
  std::optional<storage::Published> stayed() const override { return stayed_; }
  /// Called when the file was published. `shown` is what its name leads to then; see kEntryMask.
  void show_as(const Status& shown) { shown_ = shown; }
  /// Called if the file was published and cannot be taken back.
  void stay(const storage::Published& published) { stayed_ = published; }
  /// Writes the buffered content to the file. If the volume is durable, also syncs the file's data
  /// to the disk, so that no half-written file is visible after a crash. If `wholly` is true, the
  /// file gets what the file that it replaces has besides its content (take_after); if the volume
  /// is durable as well, its metadata is synced too, which is necessary before it replaces that
  /// file. Keeps the descriptor open. Does nothing if all of this was done before. Blocks.
  Result<void> complete(bool wholly);

  const Path& target() const { return target_; }
  const storage::WriteOptions& options() const { return options_; }
  /// Returns true if another file had the target's name when the writing of large content began.
  /// Returns false for small content, for which the name is not checked before publishing.
  bool expects_to_replace() const { return replaces_; }
  StagedFile& file() { return file_; }

 private:
  Result<EntryRef> find_place() const;
  Result<EntryRef> begin_large();
  Result<void> open_file();
  bool take_after_old();
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
  bool took_after_ = false;  ///< The file has what the one that it replaces has.
  bool ended_ = false;       ///< The whole content is in the file.
  bool safe_ = false;        ///< The content is on the disk, or the volume is not durable.
  bool broken_ = false;
  std::optional<storage::Published> stayed_;
  std::optional<Status> shown_;  ///< Absent: it is not known.
};

}  // namespace coffer::local
