// Prints the descriptions of both APIs as one JSON object, `{"v1": …, "v2": …}`. The build of the
// interface's types runs this program, since it needs no built interface.
#include <boost/json.hpp>
#include <iostream>

#include "api/routes.h"
#include "api/v2/routes.h"

int main() {
  std::cout << boost::json::object{{"v1",
                                    coffer::api::openapi_document(coffer::api::all_endpoints())},
                                   {"v2", coffer::api::v2::openapi_document(
                                              coffer::api::v2::all_routes())}}
            << '\n';
}
