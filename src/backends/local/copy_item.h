#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "backends/local/staging.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::local {

/// A name in the staging folder. The item of that name is reclaimed at the end, unless `release`
/// was called.
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

/// The size of a copy, and the mode that it gets when it shows.
struct StagedItem {
  storage::TreeSize size;
  std::optional<mode_t> mode;  ///< Of a folder that its owner may not write to.
};

/// The two steps of storage::Backend::copy, which block: after `collect` the copy is complete, on
/// the disk and in the staging folder. A copy that does not show is reclaimed. The arguments must
/// outlive it.
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
