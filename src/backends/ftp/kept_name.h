#pragma once

#include <string>

#include "backends/ftp/server.h"
#include "base/error.h"

namespace coffer::ftp {

/// Before anything is made under the name at `place`. pure-ftpd makes `a_` of a new `a `, and
/// replaces what is there; on such a server, which one look per run of the program tells, a name
/// that ends with a blank is `invalid`.
Result<void> need_kept_name(Session session, const std::string& place);

}  // namespace coffer::ftp
