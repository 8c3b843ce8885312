#pragma once

#include <string>

#include "backends/ftp/metadata.h"
#include "storage/copy.h"

namespace coffer::ftp {

/// Copies a file or a tree through this machine, since FTP knows no copying: `from` sends and `to`
/// receives. It grows beside `target` under the partial name `staging`; one rename shows it.
Result<storage::TreeSize> copy_item(Session from, Session to, const Path& source,
                                    const Path& target, const std::string& staging,
                                    const storage::CopyOptions& options);

}  // namespace coffer::ftp
