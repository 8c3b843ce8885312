#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string_view>

namespace coffer::rclone {

/// Returns the text under a key of rclone's reply, or an empty text. Valid as long as `object`.
inline std::string_view text_in(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

/// Returns the integer under a key of rclone's reply; 0 if there is none.
inline std::int64_t number_in(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

/// Returns true if `true` is under the key of rclone's reply; false for another value or none.
inline bool is_true(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace coffer::rclone
