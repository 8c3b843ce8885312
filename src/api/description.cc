#include "api/description.h"

#include <stdexcept>

namespace coffer::api {

boost::json::array describe(const std::vector<ParameterDescription>& parameters) {
  boost::json::array all;
  for (const ParameterDescription& parameter : parameters) {
    all.push_back({{"name", parameter.doc.name},
                   {"in", parameter.in_path ? "path" : "query"},
                   {"required", parameter.required},
                   {"description", parameter.doc.text},
                   {"schema", parameter.schema},
                   {"example", boost::json::parse(parameter.doc.example)}});
  }
  return all;
}

std::string_view method_name(http::Method method) {
  switch (method) {
    case http::Method::get:
      return "get";
    case http::Method::head:
      return "head";
    case http::Method::post:
      return "post";
    case http::Method::put:
      return "put";
    case http::Method::patch:
      return "patch";
    case http::Method::del:
      return "delete";
    case http::Method::options:
      return "options";
    case http::Method::other:
      break;
  }
  throw std::logic_error("a route has no method");
}

}  // namespace coffer::api
