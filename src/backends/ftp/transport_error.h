#pragma once

#include <curl/curl.h>

#include <string>

#include "base/error.h"

namespace coffer::ftp {

/// What a failure of libcurl means to the caller of a backend: the one place that maps its codes.
/// Refusals of the server are in reply.h. `host` is the server's name as it was given.
Error transport_error(CURLcode code, const std::string& host);

/// True for failures that a dead connection shows.
bool is_lost_connection(CURLcode code);

}  // namespace coffer::ftp
