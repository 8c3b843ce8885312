#include "backends/rclone/name_filter.h"

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace coffer::rclone {
namespace {

namespace json = boost::json;

/// As Go's regexp.QuoteMeta does.
std::string expression_of(std::string_view name) {
  constexpr std::string_view kMeta = R"(\.+*?()|[]{}^$)";
  std::string text;
  for (const char c : name) {
    if (kMeta.contains(c)) text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

json::object only_named(std::span<const storage::Entry> items) {
  // One expression, which rclone tries faster than a rule for each name.
  std::string names;
  for (const storage::Entry& item : items) {
    if (!names.empty()) names += '|';
    names += expression_of(item.name);
  }
  json::array rules{"+ /{{(" + names + ")}}", "- *"};
  return {{"FilterRule", std::move(rules)}};
}

}  // namespace coffer::rclone
