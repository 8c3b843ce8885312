#pragma once

#include "backends/ftp/metadata.h"
#include "storage/copy.h"

namespace coffer::ftp {

/// A copy through this machine, since FTP knows no copying: it grows beside its target under a
/// partial name, and one rename shows it.
struct CopyRoute {
  Path source;
  Path target;
  Path partial;
};

/// `from` sends and `to` receives. What a failure leaves is deleted.
Result<storage::TreeSize> collect_copy(Session from, Session to, const CopyRoute& route,
                                       const storage::CopyOptions& options);
/// Shows what was collected, if it may, and else deletes it.
Result<void> end_copy(Session session, const CopyRoute& route, Result<void> may_show,
                      const storage::CopyOptions& options);

}  // namespace coffer::ftp
