#include "backends/oidc/json_members.h"

#include <boost/json.hpp>
#include <cmath>

namespace coffer::oidc {

namespace json = boost::json;

std::optional<json::object> parse_object(std::string_view text) {
  boost::system::error_code broken;
  json::value parsed = json::parse({text.data(), text.size()}, broken);
  if (broken || !parsed.is_object()) return std::nullopt;
  return std::move(parsed.get_object());
}

std::optional<std::string> text_in(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains({name.data(), name.size()});
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->get_string());
}

std::optional<std::int64_t> seconds_in(const json::object& object, std::string_view name) {
  constexpr double kLargest = 1e15;  // Exact as a double, and far from the end of 64 bits.
  const json::value* const found = object.if_contains({name.data(), name.size()});
  if (found == nullptr || !found->is_number()) return std::nullopt;
  boost::system::error_code inexact;
  const auto seconds = found->to_number<double>(inexact);
  if (inexact || !(std::abs(seconds) <= kLargest)) return std::nullopt;
  return static_cast<std::int64_t>(seconds);
}

}  // namespace coffer::oidc
