#pragma once

#include <boost/json.hpp>
#include <string_view>

namespace coffer::rclone {

/// The text under a key of what rclone says; empty if there is none. Lives as long as the object.
inline std::string_view text_in(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

}  // namespace coffer::rclone
