#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string_view>

namespace coffer::rclone {

/// Members of what rclone says. The text under a key; empty if there is none. Lives as long as the
/// object.
inline std::string_view text_in(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

/// The number under a key; 0 if there is none.
inline std::int64_t number_in(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

/// False also if there is nothing under the key.
inline bool is_true(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace coffer::rclone
