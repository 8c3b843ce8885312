#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "api/endpoint.h"

/// The parts that the descriptions of both interfaces are made of.
namespace coffer::api {

boost::json::array describe(const std::vector<ParameterDescription>& parameters);

/// As OpenAPI writes it.
std::string_view method_name(http::Method method);

}  // namespace coffer::api
