#include "http/cors.h"

#include <algorithm>

namespace coffer::http {

std::string_view Cors::allowed_origin(const Request& request) const {
  if (std::ranges::find(origins_, "*") != origins_.end()) return "*";
  const auto origin = request.header("Origin");
  if (!origin) return {};
  const auto known = std::ranges::find(origins_, *origin);
  return known == origins_.end() ? std::string_view() : std::string_view(*known);
}

std::optional<Response> Cors::preflight(const Request& request) const {
  if (origins_.empty() || request.method != Method::options || !request.header("Origin") ||
      !request.header("Access-Control-Request-Method")) {
    return std::nullopt;
  }
  Response response;
  response.status = 204;
  if (allowed_origin(request).empty()) return response;
  response.headers.emplace_back("Access-Control-Allow-Methods",
                                "GET, HEAD, POST, PUT, PATCH, DELETE");
  response.headers.emplace_back("Access-Control-Allow-Headers",
                                "X-API-Key, Content-Type, Range, If-Range, If-Match, "
                                "If-None-Match, If-Modified-Since, If-Unmodified-Since, "
                                "Tus-Resumable, Upload-Length, Upload-Offset, Upload-Metadata, "
                                "Upload-Checksum, X-HTTP-Method-Override");
  response.headers.emplace_back("Access-Control-Max-Age", "86400");
  return response;
}

void Cors::append_headers(std::string& out, const Request& request) const {
  if (origins_.empty()) return;
  out += "Vary: Origin\r\n";
  const auto origin = allowed_origin(request);
  if (origin.empty()) return;
  out += "Access-Control-Allow-Origin: ";
  out += origin;
  out +=
      "\r\nAccess-Control-Expose-Headers: Content-Range, Content-Disposition, ETag, "
      "Accept-Ranges, X-Request-Id, Location, Retry-After, Tus-Resumable, Tus-Version, "
      "Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, Upload-Length, Upload-Offset, "
      "Upload-Metadata, Upload-Expires\r\n";
}

}  // namespace coffer::http
