#pragma once

#include <cstdint>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/accounts/quota.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/name_rules.h"
#include "core/namespace/namespace.h"
#include "core/uploads/upload.h"
#include "storage/spool.h"

namespace coffer::core {

/// One attempt to publish an upload whose bytes are all in the spool (docs/publishing.md).
class UploadPublication {
 public:
  struct Services {
    catalog::Catalog& catalog;
    const Quota& quota;
    AccessRecheck& access_recheck;
    FolderChanges& folder_changes;
  };

  /// `folder` is the upload's target folder. The referenced objects must outlive the publication.
  UploadPublication(Services services, Principal principal, ResolvedPath folder,
                    const catalog::UploadRecord& upload, storage::SpoolFile& file);

  /// Publishes the file and records the publication in the catalog. Returns false if the file is
  /// published but this could not be recorded; the caller must then keep the spool file, which
  /// `is_shown` needs later. Fails as Upload::publish does. After a failure, the upload is in the
  /// state `receiving` again and keeps its reserved quota, so that the publication can be retried.
  Task<Result<bool>> publish();
  /// Returns true if the catalog may have the upload as one that is being published, after
  /// `publish` has returned.
  bool is_unrecorded() const { return is_unrecorded_; }

 private:
  Task<Result<void>> publish_anywhere();
  Task<Result<bool>> was_shown_late();
  Task<Result<void>> show_as(std::string name);
  Task<Result<void>> fill(Upload& upload);
  Task<Result<void>> copy_into(Upload& upload);
  Task<Result<std::string>> free_name();
  Task<void> rollback();

  const Services services_;
  const Principal principal_;
  const ResolvedPath folder_;
  const catalog::UploadRecord& upload_;
  storage::SpoolFile& file_;
  TakenNames taken_;
  bool has_begun_ = false;
  bool is_unrecorded_ = false;
  std::uint64_t reserved_bytes_ = 0;  ///< Reserved quota that no Upload object holds.
};

/// Returns true if the file `upload.shown_name`, the name of the last attempt to publish, has the
/// upload's content. Then the upload was published, and must not be published again.
Task<Result<bool>> is_shown(const ResolvedPath& folder, const catalog::UploadRecord& upload,
                            storage::SpoolFile& file);

}  // namespace coffer::core
