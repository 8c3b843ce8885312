#include "api/description.h"

#include <stdexcept>
#include <string_view>

namespace coffer::api {
namespace {

namespace json = boost::json;

json::object binary() {
  return {
      {"type", "string"}, {"format", "binary"}, {"contentMediaType", "application/octet-stream"}};
}

json::object described(json::object schema, std::string_view text) {
  schema["description"] = text;
  return schema;
}

/// At least one file. This stands in an `allOf`, where makers of clients overlook it, and not
/// beside `properties`, where some give up on the whole form.
json::array one_of_both() {
  const auto required = [](std::string_view field) -> json::object {
    return {{"required", json::array{field}}};
  };
  return {json::object{{"anyOf", json::array{required("file"), required("files")}}}};
}

json::object form_schema() {
  const json::object files = {{"type", "array"}, {"minItems", 1}, {"items", binary()}};
  // Other fields are ignored, but a part's head must be one.
  const json::object other_names = {
      {"pattern", R"(^([^\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x08\x0a-\x1f\x7f])*$)"}};
  return {{"type", "object"},
          {"properties",
           {{"file", described(binary(), "One file.")},
            {"files", described(files, "Any number of files, each a part of its own.")}}},
          {"propertyNames", other_names},
          {"allOf", one_of_both()}};
}

/// How each part of a file looks.
json::object file_part() {
  const json::object disposition = {
      {"description",
       "form-data with the field's name and a file name, of which the last component counts. A "
       "part without one, or with an empty one, is ignored."},
      {"required", true},
      {"schema",
       {{"type", "string"}, {"pattern", R"(; *filename(="[^"]|=[^"]|\*=[^']*'[^']*'.))"}}}};
  return {{"contentType", "*/*"}, {"headers", {{"Content-Disposition", disposition}}}};
}

json::object file_headers() {
  const auto header = [](std::string_view text) -> json::object {
    return {{"description", text}, {"schema", {{"type", "string"}}}};
  };
  return {{"Content-Disposition", header("attachment, with the file's name (RFC 6266).")},
          {"ETag", header("Strong; changes whenever the file does. Of files on FTP and SFTP "
                          "servers as far as their size and time tell.")},
          {"Last-Modified", header("When the file was modified.")},
          {"Accept-Ranges", header("bytes")}};
}

json::object download_content() {
  const json::object bytes = {{"schema", binary()}};
  return {{"application/octet-stream", bytes}, {"*/*", bytes}};
}

}  // namespace

json::object bytes_response(std::string_view text) {
  return {{"description", text}, {"headers", file_headers()}, {"content", download_content()}};
}

json::object bytes_body(std::string_view text) {
  return {{"required", true}, {"description", text}, {"content", download_content()}};
}

json::object upload_body() {
  return {{"required", true},
          {"description",
           "The files, each a part named file or files with a file name; at least one, and no name "
           "twice."},
          {"content",
           {{"multipart/form-data",
             {{"schema", form_schema()},
              {"encoding", {{"file", file_part()}, {"files", file_part()}}}}}}}};
}

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
    default:
      break;  // OpenAPI has no word for it.
  }
  throw std::logic_error("a route has no method that can be described");
}

}  // namespace coffer::api
