#pragma once

#include <cstdint>
#include <string>

#include "backends/sftp/sftp_remote.h"
#include "storage/copy.h"

namespace coffer::sftp {

/// Copies a file to a new name, with its time; returns how many bytes. They stay on the server
/// where it has the extension `copy-data`. `over_quota` for more than `limit_bytes`. Blocks.
Result<std::uint64_t> copy_file(const SftpRemote& remote, const std::string& from,
                                const std::string& to, std::uint64_t limit_bytes,
                                storage::CopyWatch& watch);

}  // namespace coffer::sftp
