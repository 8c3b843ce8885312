#pragma once

#include <array>
#include <string>
#include <vector>

#include "api/v2/route.h"

namespace coffer::api {

namespace v2 {

/// By what a guest comes: the token of a share link.
struct GuestToken {
  NonEmpty<std::string> token;
};
BOOST_DESCRIBE_STRUCT(GuestToken, (), (token))

/// The same request, as the account that made the link, limited to what the link opens.
/// `not_found` for a link that has ended, `unauthenticated` for one whose password was not shown,
/// `forbidden` for one of another mode.
Task<Result<Call>> admit_guest(Services& services, http::Request& request, catalog::LinkMode mode);

/// What those may do who come by a share link.
std::vector<Route> guest_routes();

}  // namespace v2

template <>
struct Docs<v2::GuestToken> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"token", "The link's token.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

}  // namespace coffer::api
