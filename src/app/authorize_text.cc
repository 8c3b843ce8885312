#include "app/authorize_text.h"

#include <algorithm>
#include <boost/json.hpp>
#include <boost/system/error_code.hpp>

#include "base/encoding.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

/// As rclone takes base64.
constexpr bool kPadded = false;
constexpr std::string_view kBegin = "--->";
constexpr std::string_view kEnd = "<---";

json::object object_in(std::string_view text) {
  boost::system::error_code failure;
  json::value value = json::parse(json::string_view(text.data(), text.size()), failure);
  return !failure && value.is_object() ? std::move(value.get_object()) : json::object();
}

/// Returns the text between the lines that rclone prints around a login, or all of it.
std::string_view inner(std::string_view text) {
  if (const auto begin = text.find(kBegin); begin != std::string_view::npos) {
    text.remove_prefix(begin + kBegin.size());
  }
  return text.substr(0, text.find(kEnd));
}

std::string without(std::string_view text, std::string_view unwanted) {
  std::string rest(text);
  std::erase_if(rest, [&](char c) { return unwanted.find(c) != std::string_view::npos; });
  return rest;
}

}  // namespace

Result<core::DriveParameters> login_of(std::string_view pasted) {
  const std::string_view text = inner(pasted);
  const auto open = text.find('{');
  if (open != std::string_view::npos) {
    // Lines that were broken on the way are put together again.
    const std::string token = without(text.substr(open, text.rfind('}') + 1 - open), "\r\n");
    if (object_in(token).contains("access_token")) return core::DriveParameters{{"token", token}};
  } else {
    const auto blob = from_base64(without(text, " \t\r\n="), kPadded);
    core::DriveParameters parameters;
    for (const auto& [name, value] : object_in(blob.value_or(""))) {
      if (value.is_string()) parameters[std::string(name)] = value.get_string();
    }
    if (parameters.contains("token")) return parameters;
  }
  return fail(ErrorCode::invalid, "This is no login as `rclone authorize` prints it.");
}

bool is_whole_login(std::string_view pasted) {
  if (pasted.find(kBegin) != std::string_view::npos) {
    return pasted.find(kEnd) != std::string_view::npos;
  }
  return login_of(pasted).has_value();
}

}  // namespace coffer::app
