#include "app/origin.h"

#include <algorithm>

namespace coffer::app {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";

bool consists_of(std::string_view text, std::string_view more) {
  return !text.empty() && std::ranges::all_of(text, [more](char c) {
    return kDigits.contains(c) || kLetters.contains(c) || more.contains(c);
  });
}

bool is_port(std::string_view text) {
  const bool is_number = !text.empty() && text.find_first_not_of(kDigits) == text.npos;
  return is_number && text.size() <= 5 && text.front() != '0';
}

/// Where the host ends, behind the brackets of an IPv6 address.
std::size_t end_of_host(std::string_view text) {
  const auto bracket = text.starts_with('[') ? text.find(']') : 0;
  return bracket == text.npos ? text.npos : text.find(':', bracket);
}

bool is_host(std::string_view text) {
  if (!text.starts_with('[')) return consists_of(text, ".-_");
  return text.size() > 2 && text.ends_with(']') &&
         consists_of(text.substr(1, text.size() - 2), ":.");
}

}  // namespace

bool is_origin(std::string_view text) {
  const auto colon = text.find("://");
  if (colon == text.npos || !consists_of(text.substr(0, colon), "+-.")) return false;
  const std::string_view scheme = text.substr(0, colon);
  const std::string_view rest = text.substr(colon + 3);
  const auto end = end_of_host(rest);
  if (!is_host(rest.substr(0, end))) return false;
  if (end == rest.npos) return true;
  const std::string_view port = rest.substr(end + 1);
  const std::string_view own_port = scheme == "http" ? "80" : scheme == "https" ? "443" : "";
  return is_port(port) && port != own_port;
}

}  // namespace coffer::app
