#include <string>
#include <utility>

#include "api/description.h"
#include "api/v2/routes.h"

namespace coffer::api::v2 {

namespace {

namespace json = boost::json;

constexpr std::string_view kPrefix = "/api/v2/";

struct StatusText {
  unsigned status;
  std::string_view text;
};

constexpr StatusText kErrors[] = {
    {400, "A part of the request is missing, unknown or invalid."},
    {401, "The request has neither a valid API key nor a valid session."},
    {403,
     "The caller may not do this, or a session's request lacks the token in X-CSRF-Token, or a "
     "page of another site sends it."},
    {404, "The object does not exist, or the caller may not know of it."},
    {409, "The name is taken, or it was changed meanwhile or is being moved."},
    {410, "The object existed, but expired."},
    {412, "The object is not in the state that the request names; nothing was changed."},
    {413, "The storage quota is exceeded, or there is more than was announced or may be."},
    {415, "The body is of another media type."},
    {416, "No requested range lies within the file."},
    {423,
     "Another request uses the object; Retry-After tells when to try again. Or the code is "
     "`locked`: "
     "somebody has locked the item, by WebDAV."},
    {429,
     "Too many attempts, or too much is received at once: Retry-After tells when to try again. Or "
     "too many objects: remove some first."},
    {431, "The request's target and headers have more than 16 KB."},
    {460, "The body does not match the checksum."},
    {500, "The server failed; the message names the request's id in its log."},
    {502, "The server behind a mount is down, refused the login, or shows another host key."},
    {503,
     "Too much is running, or the database does not answer; Retry-After tells when to try again."},
    {504,
     "The server behind a mount did not answer in time, or the database's answer to a change was "
     "lost: look whether it was done."},
    {507, "The server's disk is full, or too small. Reading and deleting go on."},
};

json::object problem_schema() {
  json::array codes;
  for (const std::string_view code : http::kProblemCodes) codes.emplace_back(code);
  const auto text = [](std::string_view meaning) -> json::object {
    return {{"type", "string"}, {"description", meaning}};
  };
  return {{"type", "object"},
          {"properties",
           {{"type", text("about:blank: the problem is that of the status.")},
            {"title", text("The kind of problem.")},
            {"status", {{"type", "integer"}, {"description", "The HTTP status."}}},
            {"detail", text("The cause in this case, and the remedy.")},
            {"code",
             {{"type", "string"}, {"enum", std::move(codes)}, {"description", "For programs."}}}}},
          {"required", {"type", "title", "status", "detail", "code"}},
          {"additionalProperties", false}};
}

json::object error_responses() {
  json::object all;
  for (const StatusText& error : kErrors) {
    all[std::to_string(error.status)] = {
        {"description", error.text},
        {"content",
         {{"application/problem+json", {{"schema", {{"$ref", "#/components/schemas/Problem"}}}}}}}};
  }
  return all;
}

json::object header(std::string_view text) {
  return {{"description", text}, {"schema", {{"type", "string"}}}};
}

json::object json_success(const Route& route, Components& components) {
  json::object success = {{"description", route.answer_schema ? "Success." : "Done."}};
  if (route.answer_schema) {
    success["content"] = {{"application/json", {{"schema", route.answer_schema(components)}}}};
  }
  if (route.is_conditional) {
    success["headers"] = {{"ETag", header("The state of what is answered.")}};
  }
  return success;
}

json::object lines_response(const Route& route, Components& components) {
  const json::object line = {{"schema", route.answer_schema(components)}};
  return {{"description", "Lines, each of them a JSON text as described."},
          {"content", {{"application/x-ndjson", line}}}};
}

json::object events_response() {
  return {{"description", "Server-sent events (the WHATWG's HTML standard), without an end."},
          {"content", {{"text/event-stream", {{"schema", {{"type", "string"}}}}}}}};
}

json::object table_response(const Route& route, Components& components) {
  json::object response = lines_response(route, components);
  response["description"] = "Lines of JSON as described, or CSV (RFC 4180) with the same columns.";
  response["content"].as_object()["text/csv"] = {{"schema", {{"type", "string"}}}};
  return response;
}

/// What each kind of answer is like, failures apart.
json::object successes_of(const Route& route, Components& components) {
  const json::object known = {{"description", "The client has it, as its condition says."}};
  const json::object etag = {{"ETag", header("The state in which it was stored, where known.")}};
  switch (route.form) {
    case Form::download:
      return {{"200", bytes_response("The file. The content type goes by its name.")},
              {"206", bytes_response("The ranges asked for; several as multipart/byteranges.")},
              {"304", known}};
    case Form::image:
      return {{"200", bytes_response("The image.")}, {"304", known}};
    case Form::archive:
      return {{"200", bytes_response("The archive.")}};
    case Form::lines:
      return {{"200", lines_response(route, components)}};
    case Form::events:
      return {{"200", events_response()}};
    case Form::table:
      return {{"200", table_response(route, components)}};
    case Form::content:
      return {{"201", {{"description", "There is a new file."}, {"headers", etag}}},
              {"204", {{"description", "The file was replaced."}, {"headers", etag}}}};
    case Form::json:
    case Form::upload:
      break;
  }
  json::object all;
  all[std::to_string(route.success)] = json_success(route, components);
  if (route.is_conditional) all["304"] = known;
  return all;
}

json::object responses_of(const Route& route, Components& components) {
  json::object responses = successes_of(route, components);
  std::vector<unsigned> errors = route.errors;
  errors.insert(errors.end(), {400u, 403u, 429u, 431u, 500u, 503u});
  errors.push_back(401u);
  if (route.method != http::Method::get) errors.push_back(504u);
  for (const unsigned status : errors) {
    const std::string code = std::to_string(status);
    responses[code] = {{"$ref", "#/components/responses/" + code}};
  }
  return responses;
}

json::array security_of(CallerRule rule) {
  if (rule == CallerRule::anyone) return {};
  json::array ways{json::object{{"session", json::array{}}}};
  if (rule != CallerRule::session) ways.push_back(json::object{{"apiKey", json::array{}}});
  return ways;
}

json::array parameters_of(const Route& route) {
  json::array all = describe(route.parameters);
  for (const HeaderDescription& header : route.headers) {
    all.push_back({{"name", header.name},
                   {"in", "header"},
                   {"required", header.required},
                   {"description", header.text},
                   {"schema", header.schema},
                   {"example", header.example}});
  }
  return all;
}

json::object operation_of(const Route& route, Components& components) {
  const std::string_view resource = route.pattern.substr(kPrefix.size());
  json::object operation = {
      {"operationId", route.id},
      {"tags", json::array{resource.substr(0, resource.find('/'))}},
      {"summary", route.summary},
      {"description", std::string(route.description) + ' ' + std::string(text_of(route.rule))},
      {"parameters", parameters_of(route)},
      {"security", security_of(route.rule)},
      {"responses", responses_of(route, components)}};
  if (route.body) {
    operation["requestBody"] = {{"required", true},
                                {"content", {{"application/json", {{"schema", route.body()}}}}}};
  }
  if (route.form == Form::content) operation["requestBody"] = bytes_body("The file.");
  if (!route.bytes_type.empty()) {
    operation["requestBody"] = {{"required", false},
                                {"content", {{route.bytes_type, json::object{}}}}};
  }
  return operation;
}

constexpr std::string_view kAbout =
    "The interface of the web pages, and of programs that need more than /api/v1. A request is "
    "identified by an API key in the X-API-Key header or by the cookie of a session. A session's "
    "request that changes something also needs its token in the X-CSRF-Token header. Errors are "
    "problems (RFC 9457). HEAD works wherever GET does. Times are UTC.";

json::object security_schemes() {
  return {{"apiKey", {{"type", "apiKey"}, {"in", "header"}, {"name", "X-API-Key"}}},
          {"session", {{"type", "apiKey"}, {"in", "cookie"}, {"name", "coffer_session"}}}};
}

}  // namespace

json::object openapi_document(const std::vector<Route>& routes, std::string_view base_path) {
  Components schemas;
  schemas["Problem"] = problem_schema();
  json::object paths;
  for (const Route& route : routes) {
    json::value& path = paths[route.pattern];
    if (path.is_null()) path.emplace_object();
    path.as_object()[method_name(route.method)] = operation_of(route, schemas);
  }
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", "Coffer for people"},
            {"version", "2.0.0"},
            {"description", kAbout},
            {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
          {"servers", json::array{json::object{{"url", base_path.empty() ? "/" : base_path}}}},
          {"paths", std::move(paths)},
          {"components",
           {{"securitySchemes", security_schemes()},
            {"schemas", std::move(schemas)},
            {"responses", error_responses()}}}};
}

}  // namespace coffer::api::v2
