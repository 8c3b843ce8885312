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

/// Returns a call for a guest of the share link whose token is in the request's path. The call has
/// the rights of the account that made the link, limited to the item that the link opens. Errors:
/// - `not_found` if there is no link with this token, or the link is no longer valid;
/// - `unauthenticated` if the link has a password that the guest has not given yet;
/// - `forbidden` if the link has another mode than `mode`;
/// - `forbidden` if `refuse_foreign_page` refuses the request.
Task<Result<Call>> admit_guest(Services& services, http::Request& request, catalog::LinkMode mode);

}  // namespace coffer::api::v2
