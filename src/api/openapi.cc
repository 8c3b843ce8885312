#include <string>
#include <utility>

#include "api/description.h"
#include "api/routes.h"

namespace coffer::api {
namespace {

namespace json = boost::json;

constexpr std::string_view kPrefix = "/api/v1/";

struct StatusText {
  unsigned status;
  std::string_view text;
  std::string_view example;
};

constexpr StatusText kErrors[] = {
    {400, "Missing or invalid parameters, or an invalid name.",
     "The parameter \"path\" is missing."},
    {401, "The X-API-Key header is missing or the key is not valid.", "The API key is not valid."},
    {403, "Path traversal, a path outside the key's folder, or a write into a read-only place.",
     "The path must not contain \"..\"."},
    {404, "There is no such item.", "There is no such file or folder."},
    {409, "The name is taken, or the item is being moved.", "The name is taken."},
    {413, "The storage quota is exceeded.", "The storage quota is exceeded."},
    {423, "Somebody has locked the item, by WebDAV.",
     "The item is locked by ann since 2026-11-21T06:14:09 (UTC)."},
    {429,
     "Too much is received at once: Retry-After tells when to try again. Or there are too many "
     "already: remove some first.",
     "There are 10000 API keys: revoke some that nobody needs any more."},
    {431, "The request's target and headers have more than 16 KB.",
     "The request's headers are too large."},
    {500, "The server failed; the message names the request's id in its log.",
     "Something went wrong in the server."},
    {502, "The server behind a mount is down, refused the login, or shows another host key.",
     "Backup: The server cannot be reached."},
    {503,
     "Too much is running, such as too many open files, or the database does not answer; "
     "Retry-After tells when to try again.",
     "The server has too many files open. Try again soon."},
    {504,
     "The server behind a mount did not answer in time, or the database's answer to a change was "
     "lost: look whether it was done.",
     "Backup: The server did not answer in time."},
    {507, "The server's disk is full, or too small. Reading and deleting go on.",
     "The disk is full."},
};

json::object envelope_schema(json::value data) {
  return {{"type", "object"},
          {"properties", {{"success", {{"const", true}}}, {"data", std::move(data)}}},
          {"required", {"success", "data"}},
          {"additionalProperties", false}};
}

json::object error_schema() {
  return {{"type", "object"},
          {"properties",
           {{"success", {{"const", false}}},
            {"error", {{"type", "string"}, {"description", "The error."}}}}},
          {"required", {"success", "error"}},
          {"additionalProperties", false}};
}

json::object json_content(json::value schema) {
  return {{"application/json", {{"schema", std::move(schema)}}}};
}

json::object error_responses() {
  json::object all;
  for (const StatusText& error : kErrors) {
    json::object content = {{"application/json",
                             {{"schema", {{"$ref", "#/components/schemas/Error"}}},
                              {"example", {{"success", false}, {"error", error.example}}}}}};
    all[std::to_string(error.status)] = {{"description", error.text},
                                         {"content", std::move(content)}};
  }
  return all;
}

void add_download_responses(json::object& responses) {
  responses["200"] = bytes_response("The file. The content type goes by its name.");
  responses["206"] = bytes_response("The ranges asked for; several as multipart/byteranges.");
  responses["304"] = {{"description", "The file is still as the request's condition says."}};
  responses["412"] = {{"description", "A precondition of the request is not met."},
                      {"content", json_content({{"$ref", "#/components/schemas/Error"}})}};
  responses["416"] = {{"description", "No requested range lies within the file."},
                      {"content", json_content({{"$ref", "#/components/schemas/Error"}})}};
}

json::object responses_of(const Endpoint& endpoint, Components& components) {
  json::object responses;
  if (endpoint.form == Form::download) {
    add_download_responses(responses);
  } else {
    responses["200"] = {
        {"description", "Success."},
        {"content", json_content(envelope_schema(endpoint.data_schema(components)))}};
  }
  std::vector<unsigned> errors = endpoint.errors;
  errors.insert(errors.end(), {400u, 401u, 429u, 431u, 500u, 503u});
  if (endpoint.method != http::Method::get) errors.push_back(504u);
  for (const unsigned status : errors) {
    const std::string code = std::to_string(status);
    responses[code] = {{"$ref", "#/components/responses/" + code}};
  }
  return responses;
}

/// What the operation is about, which names the class of its method in many clients.
std::string_view tag_of(const Endpoint& endpoint) {
  std::string_view resource = endpoint.pattern.substr(kPrefix.size());
  return resource.substr(0, resource.find('/'));
}

json::object operation_of(const Endpoint& endpoint, Components& components) {
  json::object operation = {{"operationId", endpoint.id},
                            {"tags", json::array{tag_of(endpoint)}},
                            {"summary", endpoint.summary},
                            {"description", endpoint.description},
                            {"parameters", describe(endpoint.parameters)},
                            {"responses", responses_of(endpoint, components)}};
  if (endpoint.form == Form::upload) operation["requestBody"] = upload_body();
  return operation;
}

constexpr std::string_view kAbout =
    "Reads and writes the files of the account that owns the API key, which every request carries "
    "in its X-API-Key header. Paths use forward slashes and are relative to the key's root; an "
    "empty path is the root. Paths that begin with __adm_<id>/ lead to a folder that an "
    "administrator or another account shared, those with __conn_<id>/ to a mounted FTP or SFTP "
    "server; GET /locations "
    "names them. Every JSON answer is an envelope: success with data, or an error with its text. "
    "HEAD works wherever GET does. Times are UTC.";

}  // namespace

boost::json::object openapi_document(const std::vector<Endpoint>& endpoints,
                                     std::string_view base_path) {
  Components schemas;
  schemas["Error"] = error_schema();
  json::object paths;
  for (const Endpoint& endpoint : endpoints) {
    json::value& path = paths[endpoint.pattern];
    if (path.is_null()) path.emplace_object();
    path.as_object()[method_name(endpoint.method)] = operation_of(endpoint, schemas);
  }
  const json::object key = {{"type", "apiKey"}, {"in", "header"}, {"name", "X-API-Key"}};
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", "Coffer"},
            {"version", "1.0.0"},
            {"description", kAbout},
            {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
          {"servers", json::array{json::object{{"url", base_path.empty() ? "/" : base_path}}}},
          {"security", json::array{json::object{{"apiKey", json::array{}}}}},
          {"paths", std::move(paths)},
          {"components",
           {{"securitySchemes", {{"apiKey", key}}},
            {"schemas", std::move(schemas)},
            {"responses", error_responses()}}}};
}

}  // namespace coffer::api
