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

/// Shows an upload of which all bytes are in the spool (docs/publishing.md). Used once.
class UploadPublication {
 public:
  struct Services {
    catalog::Catalog& catalog;
    const Quota& quota;
    AccessRecheck& access_recheck;
    FolderChanges& folder_changes;
  };

  /// `folder` is where the upload goes. The references outlive it.
  UploadPublication(Services services, Principal principal, Namespace ns, ResolvedPath folder,
                    const catalog::UploadRecord& upload, storage::SpoolFile& file);

  /// After a failure nothing shows, and the upload is receiving again, with its quota; fails as
  /// Upload::publish does. False if it shows but that could not be noted: then its bytes must stay,
  /// to tell by.
  Task<Result<bool>> publish();

 private:
  Task<Result<void>> publish_anywhere();
  Task<Result<bool>> was_shown_late();
  Task<Result<void>> show_as(std::string name);
  Task<Result<void>> fill(Upload& upload);
  Task<Result<void>> copy_into(Upload& upload);
  Task<Result<std::string>> free_name();
  Task<void> give_up();

  const Services services_;
  const Principal principal_;
  const Namespace namespace_;
  const ResolvedPath folder_;
  const catalog::UploadRecord& upload_;
  storage::SpoolFile& file_;
  TakenNames taken_;
  bool has_begun_ = false;
  std::uint64_t reserved_bytes_ = 0;  ///< In this run's name, while nothing uses them.
};

/// Whether what stands under the name by which the upload was to be shown is its content, after
/// which nothing may show it again.
Task<Result<bool>> is_shown(const ResolvedPath& folder, const catalog::UploadRecord& upload,
                            storage::SpoolFile& file);

}  // namespace coffer::core
