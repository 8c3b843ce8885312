#include "api/model.h"
#include "api/model_docs.h"
#include "api/resources.h"

namespace coffer::api {
namespace {

using Locations = ArrayOf<LocationView, core::Location, to_view>;

Task<Result<Locations>> list_locations(Services& services, core::Principal principal,
                                       NoParameters) {
  auto locations = co_await services.files.locations(principal);
  if (!locations) co_return failure_of(std::move(locations));
  co_return Locations{*std::move(locations)};
}

}  // namespace

std::vector<Endpoint> location_endpoints() {
  Endpoint list;
  list.method = http::Method::get;
  list.pattern = "/api/v1/locations";
  list.id = "listLocations";
  list.summary = "List the places that the key reaches";
  list.description =
      "The account's own files, the folders shared with it and its connectors. A key that is "
      "limited to a folder has one location, of kind scoped; 404 where that folder was in a shared "
      "folder or connector which the account has no more.";
  list.errors = {404};
  return {json_endpoint(std::move(list), &list_locations)};
}

}  // namespace coffer::api
