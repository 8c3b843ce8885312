#include "app/authorize_text.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <boost/json.hpp>
#include <boost/system/error_code.hpp>

namespace coffer::app {
namespace {

namespace json = boost::json;

// rclone takes base64 without the signs at its end.
constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL_NO_PADDING;
constexpr std::string_view kBegin = "--->";
constexpr std::string_view kEnd = "<---";

std::string to_base64(std::string_view text) {
  std::string base64(sodium_base64_encoded_len(text.size(), kVariant), '\0');
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  sodium_bin2base64(base64.data(), base64.size(), bytes, text.size(), kVariant);
  base64.pop_back();  // The terminating zero.
  return base64;
}

/// Empty where the text is not base64.
std::string from_base64(std::string text) {
  while (text.ends_with('=')) text.pop_back();
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  auto* const out = reinterpret_cast<unsigned char*>(bytes.data());
  const int done = sodium_base642bin(out, bytes.size(), text.data(), text.size(), nullptr, &size,
                                     nullptr, kVariant);
  bytes.resize(done == 0 ? size : 0);
  return bytes;
}

json::object object_in(std::string_view text) {
  boost::system::error_code failure;
  json::value value = json::parse(json::string_view(text.data(), text.size()), failure);
  return !failure && value.is_object() ? std::move(value.get_object()) : json::object();
}

/// What stands between the lines around it, if they are there.
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

std::string authorize_command(const core::DriveSettings& settings,
                              core::DriveProviders& providers) {
  json::object told;
  for (const auto& [name, value] : settings.parameters) {
    if (!providers.is_secret(settings.type, name)) told[name] = value;
  }
  // Without parameters, rclone would not print what else the provider told, as the host of pcloud.
  return fmt::format("rclone authorize \"{}\" \"{}\"", settings.type,
                     to_base64(json::serialize(told)));
}

std::string authorize_environment(const core::DriveSettings& settings) {
  if (!settings.parameters.contains("client_secret")) return {};
  const bool is_short = settings.type == "google cloud storage";
  std::string name = is_short ? "gcs" : settings.type;
  std::ranges::transform(name, name.begin(), [](char c) {
    return static_cast<char>(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
  });
  return fmt::format("RCLONE_{}_CLIENT_SECRET", name);
}

Result<core::DriveParameters> login_of(std::string_view pasted) {
  const std::string_view text = inner(pasted);
  const auto open = text.find('{');
  if (open != std::string_view::npos) {
    // Lines that were broken on the way are put together again.
    const std::string token = without(text.substr(open, text.rfind('}') + 1 - open), "\r\n");
    if (object_in(token).contains("access_token")) return core::DriveParameters{{"token", token}};
  } else {
    core::DriveParameters parameters;
    for (const auto& [name, value] : object_in(from_base64(without(text, " \t\r\n")))) {
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
