#pragma once

#include <curl/curl.h>

#include "base/error.h"

namespace coffer::ftp {

/// What a failure of libcurl means to the caller of a backend: the one place that maps its codes.
/// Refusals of the server are in reply.h.
Error transport_error(CURLcode code);

/// True for failures that a dead connection shows.
bool is_lost_connection(CURLcode code);

}  // namespace coffer::ftp
