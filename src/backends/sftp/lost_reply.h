#pragma once

#include <string>

#include "backends/sftp/server.h"

namespace coffer::sftp {

/// SftpRemote::rename to a name that was free. Where the connection dies before the answer, another
/// one tells whether it was done. An outage says that this could not be found out.
Result<void> rename_surely(Server& server, const SftpRemote& remote, const std::string& from,
                           const std::string& to);

/// Gives what stands at `from` the name `to`, on any connection. Nothing if it is not there: a try
/// whose answer was lost has done it.
Result<void> rename_what_is_there(Server& server, const std::string& from, const std::string& to);

}  // namespace coffer::sftp
