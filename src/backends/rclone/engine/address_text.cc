#include "backends/rclone/engine/address_text.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/text.h"

namespace coffer::rclone {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_port(std::string_view text) {
  return parse_number<std::uint16_t>(text).value_or(0) != 0;
}

bool is_name(std::string_view text) {
  constexpr std::size_t kMaxNameBytes = 253;
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_';
  };
  return !text.empty() && text.size() <= kMaxNameBytes && std::ranges::all_of(text, fits) &&
         !text.starts_with('.') && text.find("..") == std::string_view::npos;
}

bool is_v6(std::string_view text) {
  const auto fits = [](char c) {
    return std::string_view("0123456789abcdefABCDEF:.").find(c) != std::string_view::npos;
  };
  return text.find(':') != std::string_view::npos && std::ranges::all_of(text, fits);
}

bool is_path(std::string_view text) {
  return text.find_first_of(" \\#") == std::string_view::npos;
}

std::size_t end_of_host(std::string_view text) {
  return std::min(text.find_first_of("/?"), text.size());
}

}  // namespace

bool is_label(std::string_view text) {
  constexpr std::size_t kMaxLabelBytes = 63;
  return !text.empty() && text.size() <= kMaxLabelBytes &&
         std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '-'; });
}

bool is_host(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos || !is_v6(text.substr(1, end - 1))) return false;
    const std::string_view rest = text.substr(end + 1);
    return rest.empty() || (rest.starts_with(':') && is_port(rest.substr(1)));
  }
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return is_name(text);
  return is_name(text.substr(0, colon)) && is_port(text.substr(colon + 1));
}

bool is_url(std::string_view text) {
  const std::string_view scheme = text.starts_with("https://") ? "https://" : "http://";
  if (!text.starts_with(scheme)) return false;
  const std::string_view rest = text.substr(scheme.size());
  const auto end = end_of_host(rest);
  // A path may hold an @, as the addresses of people's folders do.
  return is_host(rest.substr(0, end)) && is_path(rest.substr(end));
}

std::string_view host_of(std::string_view text) {
  const auto scheme = text.find("://");
  if (is_url(text)) text.remove_prefix(scheme + 3);
  text = text.substr(0, end_of_host(text));
  if (text.starts_with('[')) return text.substr(1, text.find(']') - 1);
  return text.substr(0, text.find(':'));
}

}  // namespace coffer::rclone
