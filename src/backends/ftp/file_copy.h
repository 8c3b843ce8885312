#pragma once

#include <cstdint>
#include <string>

#include "backends/ftp/connection.h"
#include "storage/copy.h"

namespace coffer::ftp {

/// Copies a file's content through this machine, since FTP knows no copying: one connection sends
/// and the other receives. Places are absolute. Returns how many bytes came.
Result<std::uint64_t> copy_content(Connection& from, const std::string& source, Connection& to,
                                   const std::string& target, storage::CopyWatch& watch);

}  // namespace coffer::ftp
