#pragma once

#include <boost/json.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/caller.h"
#include "api/json.h"
#include "api/parameters.h"
#include "api/services.h"
#include "http/envelope.h"
#include "http/message.h"

namespace coffer::api {

/// A parameter in the API's description.
struct ParameterDescription {
  FieldDoc doc;
  bool required = false;
  bool in_path = false;
  boost::json::object schema;
};

/// The form of a request's body or of its answer.
enum class Form {
  json,
  download,  ///< Answers the bytes of a file.
  image,     ///< Answers an image.
  archive,   ///< Answers an archive, whose size is not known.
  lines,     ///< Answers lines of JSON.
  events,    ///< Answers server-sent events.
  table,     ///< Answers lines of JSON, or CSV if the client asks for it.
  upload,    ///< Takes a form with files.
  content,   ///< Takes the bytes of a file.
};

/// One row of the route table of /api/v1. It defines how requests are served and described.
struct Endpoint {
  http::Method method = http::Method::get;
  std::string_view pattern;
  std::string_view id;  ///< The operation's id in the description.
  std::string_view summary;
  std::string_view description;
  std::vector<unsigned> errors = {};  ///< Error statuses besides 400, 401, 500 and 503.
  Form form = Form::json;
  std::vector<ParameterDescription> parameters = {};
  /// Makes the schema of the answer's `data`; empty for a download.
  std::function<boost::json::value(Components&)> data_schema = {};
  std::function<Task<http::Response>(Services&, http::Request&)> serve = {};
};

/// Describes the fields of P. Those that `pattern` has in braces are in the path.
template <class P>
std::vector<ParameterDescription> describe_parameters(std::string_view pattern) {
  std::vector<ParameterDescription> all;
  const auto captured = captured_names(pattern);
  for_each_field<P>([&](auto field) {
    using Member = std::remove_cvref_t<decltype(field.of(std::declval<P&>()))>;
    const bool in_path = std::ranges::find(captured, field.kDoc.name) != captured.end();
    all.push_back(
        {field.kDoc, !is_optional_parameter<Member>, in_path, ParameterSchema<Member>::make()});
  });
  return all;
}

/// Serves a request of a JSON endpoint: authenticates the caller, reads the parameters, calls
/// `handle`, and answers with its data or its error.
template <class P, class Data>
Task<http::Response> serve_json(Services& services, http::Request& request,
                                const std::vector<std::string_view>& captured,
                                Task<Result<Data>> (*handle)(Services&, core::Principal, P)) {
  auto principal = co_await authenticate(services, request);
  if (!principal) co_return http::error_response(principal.error());
  auto parameters = read_parameters<P>(request, captured);
  if (!parameters) co_return http::error_response(parameters.error());
  auto data = co_await handle(services, *std::move(principal), *std::move(parameters));
  if (!data) co_return http::error_response(data.error());
  co_return http::json_response(200, success_json(*data));
}

/// Returns `endpoint` with a `serve` that calls `handle` and with descriptions from P and Data.
template <class P, class Data>
Endpoint json_endpoint(Endpoint endpoint,
                       Task<Result<Data>> (*handle)(Services&, core::Principal, P)) {
  endpoint.parameters = describe_parameters<P>(endpoint.pattern);
  endpoint.data_schema = &schema_of<Data>;
  endpoint.serve = [handle, captured = captured_names(endpoint.pattern)](Services& services,
                                                                         http::Request& request) {
    return serve_json<P, Data>(services, request, captured, handle);
  };
  return endpoint;
}

}  // namespace coffer::api
