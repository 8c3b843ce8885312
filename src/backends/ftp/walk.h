#pragma once

#include <vector>

#include "backends/ftp/metadata.h"
#include "storage/walk_limits.h"

namespace coffer::ftp {

/// One way through a tree, which on a hostile server has no end. It lists folder by folder and
/// gives up where it met more than anybody has: `refused`.
class Walk {
 public:
  explicit Walk(const storage::WalkLimits& limits) : budget_(limits) {}

  /// Everything in a folder that lies so many folders below the top.
  Result<std::vector<FtpItem>> list(Session session, const Path& folder, std::size_t depth);

 private:
  storage::WalkBudget budget_;
};

/// The complete folders among them: all that one keeps of a listing while they are entered.
std::vector<FtpItem> folders_of(std::vector<FtpItem> items);

/// Adds up what shows of a file or a tree.
Result<storage::TreeSize> measure_item(Session session, const Path& path);

/// Deletes what is there, file or tree, and adds up what showed of it. What is gone already is no
/// failure. Stops at the first item that the server does not delete.
Result<void> delete_tree(Session session, const Path& path, storage::TreeSize& size);
/// The same of what is known to be a folder.
Result<void> delete_folder(Session session, const Path& folder, storage::TreeSize& size);

}  // namespace coffer::ftp
