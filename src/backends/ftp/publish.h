#pragma once

#include <vector>

#include "backends/ftp/ftp_writer.h"
#include "backends/ftp/metadata.h"

namespace coffer::ftp {

/// Shows finished writers, all or none. A writer alone takes its target's place by one rename, if
/// the server's rename replaces. Otherwise the old file takes a backup name first, so for a moment
/// there is none under the name; it comes back when a later step fails.
Result<std::vector<storage::Published>> publish_all(Session session,
                                                    const std::vector<FtpWriter*>& writers,
                                                    std::uint64_t growth_limit_bytes);
/// The same for writers out of sight, which are not looked for on the server.
std::vector<storage::Published> published_in_place(const std::vector<FtpWriter*>& writers);

}  // namespace coffer::ftp
