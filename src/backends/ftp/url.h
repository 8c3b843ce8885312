#pragma once

#include <string>
#include <string_view>

#include "backends/ftp/ftp_options.h"

namespace coffer::ftp {

/// The URL of an absolute path on the server, whatever its names hold; of no file at all if it is
/// empty. Empty itself if no URL can name the host.
std::string url_of(const FtpOptions& options, std::string_view place);

}  // namespace coffer::ftp
