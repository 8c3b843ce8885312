#pragma once

#include "api/services.h"
#include "http/router.h"

namespace coffer::api::v2 {

/// For those who watch the server, without a key: `/health/live` answers as long as the program
/// serves, and `/health/ready` where its catalog answers too, else 503.
void add_health(http::Router& router, Services& services);

}  // namespace coffer::api::v2
