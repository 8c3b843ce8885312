#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "backends/local/staging.h"
#include "backends/local/status.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::local {

/// Copies the content of an open file to the end of an open new one, by sharing its blocks where
/// the file system can. `status` has its size and blocks. `over_quota` if it has more than
/// `limit_bytes`. Returns how many bytes it has. Blocks.
Result<std::uint64_t> copy_content(int source, const Status& status, int target,
                                   std::uint64_t limit_bytes, storage::CopyWatch& watch);

/// Chooses a new name in the staging folder for a copy. Unless `release` was called, the destructor
/// starts the deletion of the item with that name in the background.
class StagedCopy {
 public:
  explicit StagedCopy(Staging& staging) : staging_(staging), name_(new_staging_name()) {}
  ~StagedCopy();
  StagedCopy(const StagedCopy&) = delete;
  StagedCopy& operator=(const StagedCopy&) = delete;

  const char* name() const { return name_.c_str(); }
  void release() { name_.clear(); }

 private:
  Staging& staging_;
  std::string name_;
};

/// A complete copy in the staging folder that is not published yet.
struct StagedItem {
  storage::TreeSize size;
  /// Set for a folder whose owner lacks the right to read, write or enter it: its permissions. The
  /// copy gets them only after publishing, since a folder with such permissions cannot be moved.
  std::optional<mode_t> mode;
};

/// Copies an item as storage::Backend::copy does, in two steps: `collect`, then `show`. Both block.
/// A copy that is not published is deleted in the background. The constructor's arguments must
/// outlive this object.
class ItemCopy {
 public:
  ItemCopy(const Lookup& lookup, const Path& from, const Path& to,
           const storage::CopyOptions& options)
      : lookup_(lookup),
        from_(from),
        to_(to),
        options_(options),
        staged_(*lookup.volume().staging) {}

  /// Makes a complete copy in the staging folder, and syncs it if the volume is durable.
  Result<void> collect();
  /// Publishes the copy under its new name and returns its size. If the new name cannot be synced
  /// to the disk, calls CopyWatch::keep and fails, and the copy stays visible.
  Result<storage::TreeSize> show();

 private:
  const Lookup& lookup_;
  const Path& from_;
  const Path& to_;
  const storage::CopyOptions& options_;
  StagedCopy staged_;
  StagedItem item_;
  Handle copy_;
};

}  // namespace coffer::local
