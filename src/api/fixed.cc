#include "api/fixed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "http/compression.h"

namespace coffer::api {
namespace {

/// The same answer in each coding.
struct FixedAnswer {
  explicit FixedAnswer(const http::Response& response)
      : identity(response), gzip(response), zstd(response) {
    http::compress(identity, http::Coding::identity);
    http::compress(gzip, http::Coding::gzip);
    http::compress(zstd, http::Coding::zstd);
  }

  const http::Response& in(http::Coding coding) const {
    if (coding == http::Coding::gzip) return gzip;
    return coding == http::Coding::zstd ? zstd : identity;
  }

  http::Response identity;
  http::Response gzip;
  http::Response zstd;
};

/// Made when it is first asked for: most servers never are.
class LateAnswer {
 public:
  explicit LateAnswer(std::function<http::Response()> make) : make_(std::move(make)) {}

  const FixedAnswer& get() {
    std::call_once(is_made_, [this] { answer_.emplace(make_()); });
    return *answer_;
  }

 private:
  const std::function<http::Response()> make_;
  std::once_flag is_made_;
  std::optional<FixedAnswer> answer_;
};

Task<http::Response> serve_fixed(std::shared_ptr<LateAnswer> answer, http::Coding coding) {
  co_return answer->get().in(coding);
}

}  // namespace

void add_fixed(http::Router& router, std::string_view path, std::function<http::Response()> make) {
  auto shared = std::make_shared<LateAnswer>(std::move(make));
  router.add(http::Method::get, path, [shared = std::move(shared)](http::Request& request) {
    return serve_fixed(shared, http::choose_coding(request));
  });
}

http::Response page_response(std::string html) {
  http::Response response;
  response.headers = {
      {"Content-Type", "text/html; charset=utf-8"},
      {"Content-Security-Policy",
       "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
       "frame-ancestors 'none'"},
  };
  response.body = std::move(html);
  return response;
}

namespace {

namespace json = boost::json;

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1.5rem; font-size: 1.15rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; }
code { background: var(--soft); padding: .1rem .3rem; border-radius: .25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
nav li { margin: .15rem 0; }
)css";

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string text_of(const json::object& object, std::string_view member) {
  const json::value* value = object.if_contains(member);
  return value && value->is_string() ? escaped(std::string_view(value->get_string())) : "";
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
  return out;
}

void add_parameters(std::string& out, const json::object& operation) {
  const json::array& parameters = operation.at("parameters").as_array();
  if (parameters.empty()) return;
  out += "<h3>Parameters</h3><table><tr><th>Name<th>In<th>Required<th>Meaning<th>Example</tr>";
  for (const json::value& value : parameters) {
    const json::object& parameter = value.as_object();
    fmt::format_to(std::back_inserter(out),
                   "<tr><td><code>{}</code><td>{}<td>{}<td>{}<td><code>{}</code></tr>",
                   text_of(parameter, "name"), text_of(parameter, "in"),
                   parameter.at("required").as_bool() ? "yes" : "no",
                   text_of(parameter, "description"),
                   escaped(json::serialize(parameter.at("example"))));
  }
  out += "</table>";
}

/// The name of the schema of `data`, linked to its table; the type where it has no name.
std::string data_type(const json::object& response) {
  const json::value* content = response.if_contains("content");
  if (!content) return "no body";
  const json::value* type = content->as_object().if_contains("application/json");
  if (!type) return "the bytes";
  json::object data = type->at("schema").as_object();
  if (const json::value* envelope = data.if_contains("properties")) {
    const bool is_page = envelope->as_object().contains("entries");  // A part of a list.
    data = json::object(envelope->at(is_page ? "entries" : "data").as_object());
  }
  const bool is_array = data.contains("items");
  if (is_array) data = json::object(data.at("items").as_object());
  const std::string reference(std::string_view(data.at("$ref").get_string()));
  const std::string name = reference.substr(reference.rfind('/') + 1);
  if (name == "Error") return "an error";
  return fmt::format("{}<a href=\"#{}\">{}</a>", is_array ? "array of " : "", name, name);
}

void add_responses(std::string& out, const json::object& document, const json::object& operation) {
  out += "<h3>Answers</h3><table><tr><th>Status<th>Meaning<th>Data</tr>";
  const json::object& shared = document.at("components").at("responses").as_object();
  for (const auto& [status, value] : operation.at("responses").as_object()) {
    const bool is_shared = value.as_object().contains("$ref");
    const json::object& response = is_shared ? shared.at(status).as_object() : value.as_object();
    fmt::format_to(std::back_inserter(out), "<tr><td>{}<td>{}<td>{}</tr>", std::string_view(status),
                   text_of(response, "description"), is_shared ? "an error" : data_type(response));
  }
  out += "</table>";
}

void add_fields(std::string& out, const json::object& schema) {
  out += "<table><tr><th>Field<th>Meaning<th>Example</tr>";
  for (const auto& [field, value] : schema.at("properties").as_object()) {
    const json::value* examples = value.as_object().if_contains("examples");
    fmt::format_to(std::back_inserter(out), "<tr><td><code>{}</code><td>{}<td><code>{}</code></tr>",
                   escaped(field), text_of(value.as_object(), "description"),
                   examples ? escaped(json::serialize(examples->at(0))) : "");
  }
  out += "</table>";
}

void add_body(std::string& out, const json::object& body) {
  const auto& [type, content] = *body.at("content").as_object().begin();
  fmt::format_to(std::back_inserter(out), "<h3>Body</h3><p>{}. {}</p>", escaped(type),
                 text_of(body, "description"));
  if (type == "application/json") add_fields(out, content.at("schema").as_object());
}

void add_operations(std::string& out, const json::object& document) {
  for (const auto& [path, methods] : document.at("paths").as_object()) {
    for (const auto& [method, value] : methods.as_object()) {
      const json::object& operation = value.as_object();
      fmt::format_to(std::back_inserter(out),
                     "<h2 id=\"{}\">{}</h2><p><code>{} {}</code></p><p>{}</p>",
                     text_of(operation, "operationId"), text_of(operation, "summary"),
                     upper(method), escaped(path), text_of(operation, "description"));
      add_parameters(out, operation);
      if (const json::value* body = operation.if_contains("requestBody")) {
        add_body(out, body->as_object());
      }
      add_responses(out, document, operation);
    }
  }
}

void add_contents(std::string& out, const json::object& document) {
  out += "<nav><ul>";
  for (const auto& [path, methods] : document.at("paths").as_object()) {
    for (const auto& [method, operation] : methods.as_object()) {
      fmt::format_to(std::back_inserter(out), "<li><a href=\"#{}\">{}</a> <code>{} {}</code></li>",
                     text_of(operation.as_object(), "operationId"),
                     text_of(operation.as_object(), "summary"), upper(method), escaped(path));
    }
  }
  out += "</ul></nav>";
}

void add_schemas(std::string& out, const json::object& document) {
  for (const auto& [name, value] : document.at("components").at("schemas").as_object()) {
    fmt::format_to(std::back_inserter(out), "<h2 id=\"{0}\">{0}</h2>", escaped(name));
    add_fields(out, value.as_object());
  }
}

}  // namespace

std::string docs_page(const json::object& document, std::string_view description_path) {
  const json::object& info = document.at("info").as_object();
  std::string out = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0} API</title><style>{1}</style><h1>{0} API "
      "{2}</h1><p>{3}</p><p>The same description for programs: <a href=\"{4}\">{4}</a>.</p>",
      text_of(info, "title"), kStyle, text_of(info, "version"), text_of(info, "description"),
      description_path);
  add_contents(out, document);
  add_operations(out, document);
  add_schemas(out, document);
  return out + "</html>";
}

}  // namespace coffer::api
