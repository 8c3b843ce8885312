#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "backends/local/staging.h"
#include "backends/local/staging_name.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::local {

/// A name in the staging folder. What stands there is reclaimed at the end, unless it was released.
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

/// What was copied, and what of it only the shown copy can have.
struct StagedItem {
  storage::TreeSize size;
  std::optional<mode_t> mode;  ///< Of a folder that its owner may not change.
};

/// storage::Backend::copy in its two steps, which block: between them the copy is whole, on the
/// disk and out of sight. What does not show is reclaimed. The arguments outlive it.
class ItemCopy {
 public:
  ItemCopy(const Lookup& lookup, const Path& from, const Path& to,
           const storage::CopyOptions& options)
      : lookup_(lookup),
        from_(from),
        to_(to),
        options_(options),
        staged_(*lookup.volume().staging) {}

  Result<void> collect();
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
