#include "backends/rclone/engine/content_request.h"

#include <fmt/format.h>

#include <string>

namespace coffer::rclone {
namespace {

/// RFC 3986, section 2.1; slashes divide.
std::string escaped(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string text;
  for (const char c : path) {
    if (kPlain.contains(c)) {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

}  // namespace

HttpExchange::Request content_request(std::string_view fs, std::string_view place,
                                      std::uint64_t offset) {
  namespace http = boost::beast::http;
  // The remote stands in brackets; what may hold one itself comes behind.
  const std::string target = "/" + escaped(fmt::format("[{}]", fs)) + "/" + escaped(place);
  HttpExchange::Request request(http::verb::get, target, 11);
  if (offset > 0) request.set(http::field::range, fmt::format("bytes={}-", offset));
  return request;
}

}  // namespace coffer::rclone
