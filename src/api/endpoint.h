#pragma once

#include <boost/json.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/answer_memory.h"
#include "api/caller.h"
#include "api/json.h"
#include "api/parameters.h"
#include "api/services.h"
#include "http/envelope.h"
#include "http/message.h"

namespace coffer::api {

struct ParameterDescription {
  FieldDoc doc;
  bool required = false;
  bool in_path = false;
  boost::json::object schema;
};

/// The format of a request's body and answer. Each of them is JSON or empty, except as stated here:
enum class Form {
  json,      ///< The body and the answer are JSON or empty.
  download,  ///< The answer is the bytes of a file.
  image,     ///< The answer is an image.
  archive,   ///< The answer is an archive of unknown size.
  lines,     ///< The answer is lines of JSON.
  events,    ///< The answer is server-sent events.
  table,     ///< The answer is lines of JSON, or CSV if the client asks for it.
  upload,    ///< The body is multipart/form-data with files.
  content,   ///< The body is the bytes of a file.
};

/// One row of the route table of /api/v1: how requests are served, and how OpenAPI describes them.
struct Endpoint {
  http::Method method = http::Method::get;
  std::string_view pattern;
  std::string_view id;  ///< The operation's id in the OpenAPI document.
  std::string_view summary;
  std::string_view description;
  std::vector<unsigned> errors = {};  ///< Error statuses besides 400, 401, 429, 431, 500,
                                      ///< 503.
  Form form = Form::json;
  std::vector<ParameterDescription> parameters = {};
  /// Makes the schema of the answer's member `data`. Not set for `Form::download`.
  std::function<boost::json::value(Components&)> data_schema = {};
  std::function<Task<http::Response>(Services&, http::Request&)> serve = {};
};

/// Returns the descriptions of the fields of P. A field whose name stands in braces in `pattern` is
/// a parameter in the path; any other field is a parameter in the query.
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
  MemoryHolder holder = core::holder_of(*principal);
  auto data = co_await handle(services, *std::move(principal), *std::move(parameters));
  if (!data) co_return http::error_response(data.error());
  http::Response response = http::json_response(200, success_json(*data));
  auto held = hold_text(services.memory, std::move(holder), response);
  if (!held) co_return http::error_response(held.error());
  co_return response;
}

/// Returns `endpoint` with a `serve` that calls `handle`, and with schemas of parameters and data.
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
