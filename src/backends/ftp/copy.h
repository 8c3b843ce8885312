#pragma once

#include "backends/ftp/look.h"

namespace coffer::ftp {

/// Copies a file or a tree through this machine, since FTP knows no copying: `from` sends and `to`
/// receives. It grows under a partial name beside `target`; one rename shows it.
Result<storage::TreeSize> copy_item(Session from, Session to, const Path& source,
                                    const Path& target, std::uint64_t limit_bytes);

}  // namespace coffer::ftp
