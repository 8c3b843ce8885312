#pragma once

#include <array>
#include <string>
#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The parameter by which guests name their share link.
struct GuestToken {
  FIELD(NonEmpty<std::string>, token, "The link's token.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
};

/// Lets a guest in: the call acts as the account that made the link, limited to what the link
/// opens. `not_found` for a link that has ended, `unauthenticated` if its password was not shown,
/// `forbidden` for a link of another mode.
Task<Result<Call>> admit_guest(Services& services, http::Request& request, catalog::LinkMode mode);

}  // namespace coffer::api::v2
