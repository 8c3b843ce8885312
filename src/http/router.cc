#include "http/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "http/envelope.h"

namespace coffer::http {
namespace {

using Captures = std::vector<std::string_view>;

bool is_capture(std::string_view segment) {
  return segment.starts_with('{') && segment.ends_with('}');
}

constexpr std::string_view kCapture = "{}";
constexpr std::string_view kRest = "{*}";
constexpr std::string_view kFallbackPattern = "/{page*}";

/// The form in which a pattern's segment is stored.
std::string_view kept_form(std::string_view segment) {
  if (!is_capture(segment)) return segment;
  return segment.ends_with("*}") ? kRest : kCapture;
}

/// Matches segment by segment.
bool matches(const std::vector<std::string>& segments, std::string_view path, Captures& captures) {
  captures.clear();
  for (const std::string& segment : segments) {
    if (!path.starts_with('/')) return false;
    path.remove_prefix(1);
    if (segment == kRest) {
      captures.push_back(path);
      return true;
    }
    const auto part = path.substr(0, path.find('/'));
    const bool captured = segment == kCapture;
    if (captured ? part.empty() : part != segment) return false;
    if (captured) captures.push_back(part);
    path.remove_prefix(part.size());
  }
  return path.empty();
}

std::string_view to_string(Method method) {
  switch (method) {
    case Method::get:
      return "GET, HEAD";
    case Method::head:
      return "HEAD";
    case Method::post:
      return "POST";
    case Method::put:
      return "PUT";
    case Method::patch:
      return "PATCH";
    case Method::del:
      return "DELETE";
    case Method::options:
      return "OPTIONS";
    case Method::propfind:
      return "PROPFIND";
    case Method::proppatch:
      return "PROPPATCH";
    case Method::mkcol:
      return "MKCOL";
    case Method::copy:
      return "COPY";
    case Method::move:
      return "MOVE";
    case Method::lock:
      return "LOCK";
    case Method::unlock:
      return "UNLOCK";
    case Method::other:
      break;
  }
  throw std::logic_error("a route needs a method of its own");
}

Response options_response(std::string allow, Router::Headers headers = {}) {
  Response response;
  response.status = 204;
  response.headers = std::move(headers);
  response.headers.emplace_back("Allow", std::move(allow));
  return response;
}

/// True for the characters of secrets: digits and letters, also percent-encoded, and those of
/// base64url.
bool may_be_secret(char c) {
  const char letter = static_cast<char>(c | 0x20);
  return (c >= '0' && c <= '9') || (letter >= 'a' && letter <= 'z') || c == '_' || c == '%' ||
         c == '~' || c == '-';
}

/// Returns the path with `…` for each part that may be a secret, or half of one.
std::string without_secrets(std::string_view path) {
  constexpr std::size_t kShortest = 16;
  std::string shown;
  while (!path.empty()) {
    const auto end = std::ranges::find_if_not(path, &may_be_secret);
    const auto part = path.substr(0, static_cast<std::size_t>(end - path.begin()));
    shown += part.size() < kShortest ? part : "…";
    path.remove_prefix(part.size());
    if (path.empty()) break;
    shown += path.front();
    path.remove_prefix(1);
  }
  return shown;
}

}  // namespace

bool Router::serves_get(const Handlers& handlers) {
  return std::ranges::any_of(handlers.list, [](const auto& one) {
    return one.first == Method::get || one.first == Method::head;
  });
}

Router::Handlers& Router::handlers_of(std::string_view pattern) {
  const std::string whole(pattern);
  if (pattern.find('{') == std::string_view::npos) {
    return literals_.try_emplace(whole, Handlers{whole, {}, {}}).first->second;
  }
  std::vector<std::string> segments;
  while (!pattern.empty()) {
    pattern.remove_prefix(1);
    const auto segment = pattern.substr(0, pattern.find('/'));
    segments.emplace_back(kept_form(segment));
    pattern.remove_prefix(segment.size());
  }
  for (Route& route : routes_) {
    if (route.segments == segments) return route.handlers;
  }
  return routes_.emplace_back(Route{std::move(segments), {whole, {}, {}}}).handlers;
}

void Router::add(Method method, std::string_view pattern, Handler handler) {
  if (!pattern.starts_with('/')) throw std::logic_error("a route's pattern begins with a slash");
  handlers_of(pattern).list.emplace_back(method, std::move(handler));
}

void Router::set_fallback(Handler handler, std::vector<std::string> excluded) {
  fallback_ = std::move(handler);
  fallback_excluded_ = std::move(excluded);
}

void Router::set_error_page(Handler handler) {
  error_page_ = std::move(handler);
}

bool Router::has_fallback(Method method, std::string_view path) const {
  if (!fallback_ || !path.starts_with('/')) return false;
  if (method != Method::get && method != Method::head) return false;
  path.remove_prefix(1);
  return std::ranges::find(fallback_excluded_, path.substr(0, path.find('/'))) ==
         fallback_excluded_.end();
}

void Router::set_options(std::string_view pattern, Headers headers) {
  handlers_of(pattern).options = std::move(headers);
}

std::variant<Router::Match, Response> Router::choose(const Handlers& handlers, Method method,
                                                     Captures captures, ErrorFormat error_format) {
  std::string allow;
  const Handler* of_get = nullptr;
  for (const auto& [known, handler] : handlers.list) {
    if (known == method) return Match{&handler, std::move(captures), handlers.pattern};
    if (known == Method::get) of_get = &handler;
    allow += to_string(known);
    allow += ", ";
  }
  if (method == Method::head && of_get) return Match{of_get, std::move(captures), handlers.pattern};
  allow += "OPTIONS";
  if (method == Method::options) return options_response(std::move(allow), handlers.options);
  Response response = error_format(405, "This address does not support the method of the request.");
  response.headers.emplace_back("Allow", std::move(allow));
  return response;
}

void Router::set_error_format(std::string prefix, ErrorFormat format, FailureFormat of_failure) {
  error_formats_.push_back({std::move(prefix), format, of_failure});
}

void Router::keep_secret(std::string_view capture) {
  secret_captures_.push_back(fmt::format("{{{}}}", capture));
  secret_captures_.push_back(fmt::format("{{{}*}}", capture));
}

void Router::keep_query_secret(std::string_view pattern) {
  secret_queries_.emplace_back(pattern);
}

std::string Router::loggable(std::string_view pattern, std::string_view path,
                             std::string_view query) const {
  const bool is_secret = std::ranges::any_of(secret_captures_, [&](const std::string& capture) {
    return pattern.find(capture) != std::string_view::npos;
  });
  if (is_secret) return std::string(pattern);
  const bool is_route = !pattern.empty() && pattern != kFallbackPattern;
  std::string shown = is_route ? std::string(path) : without_secrets(path);
  const bool is_open = is_route && std::ranges::count(secret_queries_, pattern) == 0;
  if (!query.empty()) shown.append("?").append(is_open ? query : "…");
  return shown;
}

const Router::ErrorFormats* Router::formats_for(std::string_view path) const {
  for (const ErrorFormats& formats : error_formats_) {
    if (path.starts_with(formats.prefix)) return &formats;
  }
  return nullptr;
}

ErrorFormat Router::error_format(std::string_view path) const {
  if (const ErrorFormats* formats = formats_for(path)) return formats->of_status;
  return &error_response;
}

FailureFormat Router::failure_format(std::string_view path) const {
  if (const ErrorFormats* formats = formats_for(path)) return formats->of_failure;
  return &error_response;
}

std::variant<Router::Match, Response> Router::find(Method method, std::string_view path) const {
  if (const auto literal = literals_.find(path); literal != literals_.end()) {
    if (path == "/" && has_fallback(method, path) && !serves_get(literal->second)) {
      return Match{&fallback_, {}, kFallbackPattern};
    }
    return choose(literal->second, method, {}, error_format(path));
  }
  Captures captures;
  for (const Route& route : routes_) {
    if (matches(route.segments, path, captures)) {
      return choose(route.handlers, method, std::move(captures), error_format(path));
    }
  }
  if (has_fallback(method, path)) return Match{&fallback_, {}, kFallbackPattern};
  if (path == "*") return options_response("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  return error_format(path)(404, "There is nothing at this address.");
}

}  // namespace coffer::http
