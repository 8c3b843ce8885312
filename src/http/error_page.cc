#include "http/error_page.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace coffer::http {
namespace {

/// Missing where an old browser, or no browser at all, asks.
bool is_missing_or(const Request& request, std::string_view name, std::string_view value) {
  return !request.has(name) || request.header(name) == value;
}

bool is_json(const Response& response) {
  return std::ranges::any_of(response.headers, [](const auto& header) {
    return header.first == "Content-Type" && header.second.ends_with("json");
  });
}

}  // namespace

bool wants_error_page(const Request& request, const Response& response) {
  if (response.status < 400 || !is_json(response)) return false;
  if (request.method != Method::get && request.method != Method::head) return false;
  // What asks by itself takes whatever there is, and a frame of a page is read by that page.
  const auto accepted = request.header("Accept");
  return accepted && accepted->contains("text/html") && !request.has("X-API-Key") &&
         is_missing_or(request, "Sec-Fetch-Mode", "navigate") &&
         is_missing_or(request, "Sec-Fetch-Dest", "document");
}

void show_in_page(Response page, Response& error) {
  std::erase_if(page.headers, [](const auto& header) {
    return header.first == "ETag" || header.first == "Cache-Control";
  });
  page.headers.emplace_back("Cache-Control", "no-store");
  page.headers.emplace_back("Vary", "Accept");
  for (auto& header : error.headers) {
    if (header.first == "Retry-After" || header.first == "Allow") {
      page.headers.push_back(std::move(header));
    }
  }
  page.status = error.status;
  error = std::move(page);
}

}  // namespace coffer::http
