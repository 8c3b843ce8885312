#include "api/v2/body.h"

#include <fmt/format.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <set>

#include "base/size_format.h"
#include "base/text.h"
#include "http/syntax.h"

namespace coffer::api::v2 {
namespace {

namespace json = boost::json;

constexpr std::size_t kObjectLimitBytes = 16 * 1024;
constexpr std::size_t kPasswordLimitBytes = 1024;
constexpr std::size_t kDepthLimit = 16;
/// The most members of a body, and the most members and items together: twice the items of the
/// longest list. A body of a hundred thousand members took a thread that connections share 0.3 s.
constexpr std::size_t kMostMembers = 2'000;
constexpr std::size_t kMostValues = 20'000;

std::unexpected<Error> too_large(std::size_t limit_bytes) {
  return fail(ErrorCode::invalid, "The body has more than " + format_size(limit_bytes) + '.');
}

bool has_type(const http::Request& request, std::string_view wanted) {
  std::string_view type = request.header("Content-Type").value_or("");
  return equal_ignoring_case(http::trim(http::cut_front(type, ';')), wanted);
}

Task<Result<std::string>> read_text(const http::Request& request, std::size_t limit_bytes) {
  if (request.body->length().value_or(0) > limit_bytes) co_return too_large(limit_bytes);
  std::string text;
  for (;;) {
    CO_TRY(const auto data, co_await request.body->read());
    if (data.empty()) break;
    if (text.size() + data.size() > limit_bytes) co_return too_large(limit_bytes);
    text.append(reinterpret_cast<const char*>(data.data()), data.size());
  }
  co_return text;
}

/// Counts what a body has, and finds a member that its object has twice: parsers differ on which of
/// the two counts, so that a check elsewhere might see the other one.
struct Inspection : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Inspection> {
  bool Default() { return ++values <= kMostValues; }
  bool StartObject() {
    objects.emplace_back();
    return Default();
  }
  bool Key(const char* text, rapidjson::SizeType size, bool /*is_copied*/) {
    std::string name(text, size);
    if (!objects.back().insert(name).second) repeated = std::move(name);
    return !repeated && ++members <= kMostMembers && Default();
  }
  bool EndObject(rapidjson::SizeType /*members*/) {
    objects.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> objects;  ///< The names of each object that is open.
  std::optional<std::string> repeated;
  std::size_t members = 0;
  std::size_t values = 0;
};

/// Returns false if the text is no valid JSON, of which boost::json tells more.
Result<bool> inspect(std::string_view text) {
  constexpr std::size_t kLongestName = 100;
  // Numbers of any size are for boost::json to judge; so is how deep a body may be nested.
  constexpr unsigned kFlags =
      rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
  Inspection handler;
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  const bool is_valid = !reader.Parse<kFlags>(stream, handler).IsError();
  if (handler.members > kMostMembers || handler.values > kMostValues) {
    return fail(ErrorCode::invalid, fmt::format("The body has more than {} members or {} values.",
                                                kMostMembers, kMostValues));
  }
  if (handler.repeated) {
    return fail(ErrorCode::invalid, fmt::format("The body has the member \"{}\" twice.",
                                                cut_utf8(*handler.repeated, kLongestName)));
  }
  return is_valid;
}

Result<json::value> parsed(std::string_view text) {
  TRY(const bool is_valid, inspect(text));
  json::parse_options options;
  options.max_depth = kDepthLimit;
  json::error_code error;
  auto value = json::parse({text.data(), text.size()}, error, {}, options);
  if (error)
    return fail(ErrorCode::invalid, "The body is not valid JSON: " + error.message() + ".");
  if (!is_valid) return fail(ErrorCode::invalid, "The body is not valid JSON.");
  return value;
}

}  // namespace

Task<Result<json::value>> read_json(const http::Request& request, std::size_t limit_bytes) {
  if (!has_type(request, "application/json")) {
    co_return fail(ErrorCode::invalid,
                   "The body must be JSON, with the header Content-Type: application/json.");
  }
  CO_TRY(const auto text, co_await read_text(request, limit_bytes));
  co_return parsed(text);
}

Task<Result<std::string>> read_form(const http::Request& request, std::size_t limit_bytes) {
  if (!has_type(request, "application/x-www-form-urlencoded")) {
    co_return fail(ErrorCode::invalid, "The body must be a form.");
  }
  co_return co_await read_text(request, limit_bytes);
}

Result<std::string_view> text_of(const json::value& value) {
  if (!value.is_string()) return fail(ErrorCode::invalid, "must be a text");
  const std::string_view text(value.get_string().data(), value.get_string().size());
  if (has_control_character(text)) {
    return fail(ErrorCode::invalid, "must not hold control characters");
  }
  return text;
}

json::object Password::schema() {
  return {{"type", "string"},
          {"maxLength", kPasswordLimitBytes},
          {"x-maxBytes", kPasswordLimitBytes},
          {"format", "password"}};
}

json::object AnyObject::schema() {
  return {{"type", "object"}, {"x-maxBytes", kObjectLimitBytes}};
}

void write_json(JsonWriter& out, const AnyObject& object) {
  const std::string text = json::serialize(object.value);
  out.RawValue(text.data(), text.size(), rapidjson::kObjectType);
}

Result<void> from_json(const json::value& value, bool& out) {
  if (!value.is_bool()) return fail(ErrorCode::invalid, "must be true or false");
  out = value.get_bool();
  return {};
}

Result<void> from_json(const json::value& value, std::uint64_t& out) {
  json::error_code error;
  // 1.0 is whole too (JSON Schema, section 6.1.1).
  if (value.is_number()) out = value.to_number<std::uint64_t>(error);
  if (value.is_number() && !error) return {};
  return fail(ErrorCode::invalid, "must be a whole number of 0 or more");
}

Result<void> from_json(const json::value& value, Password& out) {
  if (!value.is_string()) return fail(ErrorCode::invalid, "must be a text");
  const std::string_view text(value.get_string().data(), value.get_string().size());
  if (text.size() > kPasswordLimitBytes) {
    return fail(ErrorCode::invalid, "must have at most 1024 bytes");
  }
  out.value = text;
  return {};
}

Result<void> from_json(const json::value& value, Timestamp& out) {
  constexpr std::size_t kSeconds = 19;
  constexpr std::size_t kLongest = kSeconds + 10;
  std::string_view text;
  if (value.is_string()) text = {value.get_string().data(), value.get_string().size()};
  std::string_view rest = text.substr(std::min(text.size(), kSeconds));
  if (rest.ends_with('Z')) rest.remove_suffix(1);
  const bool is_fraction =
      rest.size() > 1 && rest[0] == '.' &&
      std::ranges::all_of(rest.substr(1), [](char c) { return c >= '0' && c <= '9'; });
  const auto time = parse_timestamp(text.substr(0, kSeconds));
  if (!time || text.size() > kLongest || !(rest.empty() || is_fraction)) {
    return fail(ErrorCode::invalid, "must be a time in UTC such as 2027-01-31T00:00:00Z");
  }
  out = *time;
  return {};
}

Result<void> from_json(const json::value& value, AnyObject& out) {
  if (!value.is_object()) return fail(ErrorCode::invalid, "must be an object");
  if (json::serialize(value).size() > kObjectLimitBytes) {
    return fail(ErrorCode::invalid, "must have at most 16 KB");
  }
  out.value = value.get_object();
  return {};
}

}  // namespace coffer::api::v2
