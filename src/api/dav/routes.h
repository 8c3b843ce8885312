#pragma once

#include "api/dav/call.h"
#include "api/services.h"
#include "http/router.h"

namespace coffer::api::dav {

/// Adds WebDAV (RFC 4918, classes 1, 2 and 3) at kTop: the tree of the caller's account, or the
/// folder that the key is limited to. `/` answers what clients ask there before they know the
/// address.
void add_routes(http::Router& router, Services& services, Options options);

}  // namespace coffer::api::dav
