#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string_view>

namespace coffer::rclone {

/// Returns the string member `key`; empty if there is none. The view is valid as long as `object`.
inline std::string_view text_in(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

/// Returns the integer member `key`; 0 if there is none.
inline std::int64_t number_in(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

/// Returns true if the member `key` is `true`; false if it has another value or is missing.
inline bool is_true(const boost::json::object& object, std::string_view key) {
  const boost::json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace coffer::rclone
