#pragma once

#include <array>
#include <string>
#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The parameter that identifies the share link of a guest.
struct GuestToken {
  FIELD(NonEmpty<std::string>, token, "The link's token.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
};

/// Returns a call that acts as the account that made the link, limited to what the link opens.
/// - `not_found` if the link has ended;
/// - `unauthenticated` if the guest has not given the link's password;
/// - `forbidden` if the link has another mode, or a page of another site sent the request.
Task<Result<Call>> admit_guest(Services& services, http::Request& request, catalog::LinkMode mode);

}  // namespace coffer::api::v2
