#include "http/target.h"

#include <algorithm>

#include "http/syntax.h"

namespace coffer::http {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alphanumeric(char c) {
  return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/// `reg-name` and IPv4 addresses (RFC 3986, section 3.2.2).
bool is_name_char(char c) {
  return is_alphanumeric(c) ||
         std::string_view("-._~%!$&'()*+,;=").find(c) != std::string_view::npos;
}

/// What stands between the brackets of an IPv6 address or a later form.
bool is_bracket_char(char c) {
  return is_name_char(c) || c == ':';
}

bool is_port(std::string_view text) {
  return text.empty() || (text.front() == ':' && std::ranges::all_of(text.substr(1), is_digit));
}

/// Takes `http://authority` or `https://authority` off the front.
bool take_authority(std::string_view& target) {
  const auto colon = target.find("://");
  if (colon == std::string_view::npos) return false;
  const auto scheme = target.substr(0, colon);
  if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) return false;
  target.remove_prefix(colon + 3);
  const auto end = std::min(target.find_first_of("/?"), target.size());
  if (!is_host(target.substr(0, end))) return false;
  target.remove_prefix(end);
  return true;
}

}  // namespace

bool is_host(std::string_view text) {
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos || close == 1) return false;
    return std::ranges::all_of(text.substr(1, close - 1), is_bracket_char) &&
           is_port(text.substr(close + 1));
  }
  const auto colon = std::min(text.find(':'), text.size());
  return colon > 0 && std::ranges::all_of(text.substr(0, colon), is_name_char) &&
         is_port(text.substr(colon));
}

bool read_target(std::string_view target, Request& request) {
  const auto is_allowed = [](char c) { return c > 0x20 && c < 0x7F && c != '#'; };
  if (target.empty() || !std::ranges::all_of(target, is_allowed)) return false;
  if (target == "*") {
    request.path = target;
    request.query = {};
    return request.method == Method::options;
  }
  if (target.front() != '/' && !take_authority(target)) return false;
  request.path = cut_front(target, '?');
  request.query = target;
  if (request.path.empty()) request.path = "/";
  return true;
}

}  // namespace coffer::http
