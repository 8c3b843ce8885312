#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/parameters.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "http/message.h"

/// Reads the JSON of a request's body into a struct with FIELDs. Unknown members are refused, so
/// that a misspelt name is not mistaken for a missing member.
namespace coffer::api::v2 {

using api::parse_value;  // Otherwise the overloads of v2 hide those of api.

struct NoBody {};

/// A password as typed: any text of at most 1024 bytes. No error message contains the password.
struct Password {
  std::string value;
  static boost::json::object schema();
};

/// A JSON object with any members, of at most 16 KiB.
struct AnyObject {
  boost::json::object value;
  static boost::json::object schema();
  static boost::json::value answer_schema(Components&) { return {{"type", "object"}}; }
};
void write_json(JsonWriter& out, const AnyObject& object);

/// The JSON Schema pattern of a time, from year to second. A pattern cannot exclude 30 February.
inline constexpr std::string_view kTimePattern =
    R"(^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d)";

/// The most bytes of a body that is read into a B: `B::kBodyBytes`, or 64 KiB.
template <class B>
inline constexpr std::size_t kBodyBytesOf = [] {
  if constexpr (requires { B::kBodyBytes; }) {
    return B::kBodyBytes;
  } else {
    return std::size_t{64 * 1024};
  }
}();

/// Reads the body as one JSON value. Errors, besides those of Body::read:
/// - `invalid` if the body is not valid JSON;
/// - `invalid` if the body has more than `limit_bytes`;
/// - `invalid` if the `Content-Type` is not `application/json`. Browsers let a page of another site
///   send this type only if CORS allows it.
Task<Result<boost::json::value>> read_json(const http::Request& request, std::size_t limit_bytes);

/// Reads the body as text. `invalid` if it has more than `limit_bytes`, or is no form
/// (application/x-www-form-urlencoded).
Task<Result<std::string>> read_form(const http::Request& request, std::size_t limit_bytes);

/// Reads a JSON value into `out`; `invalid` if the type of `out` does not allow the value.
Result<void> from_json(const boost::json::value& json, bool& out);
Result<void> from_json(const boost::json::value& json, std::uint64_t& out);
Result<void> from_json(const boost::json::value& json, Password& out);
Result<void> from_json(const boost::json::value& json, AnyObject& out);
/// Reads a time in UTC (RFC 3339), with or without the final `Z`. Drops fractions of seconds.
Result<void> from_json(const boost::json::value& json, Timestamp& out);

/// Returns the text of a JSON string. `invalid` if the value is not a string or has a control
/// character.
Result<std::string_view> text_of(const boost::json::value& json);

/// Reads a JSON string into a value of any type that a query parameter can have.
template <class T>
  requires requires(std::string_view text, T& out) { parse_value(text, out); }
Result<void> from_json(const boost::json::value& json, T& out) {
  TRY(const std::string_view text, text_of(json));
  if (refuses_empty<T> && text.empty()) return fail(ErrorCode::invalid, "is empty");
  return parse_value(text, out);
}

/// An array of 1 to `kMost` items.
template <class T, std::size_t kMost>
struct ListOf {
  std::vector<T> items;
};

template <class T, std::size_t kMost>
Result<void> from_json(const boost::json::value& json, ListOf<T, kMost>& out) {
  if (!json.is_array()) return fail(ErrorCode::invalid, "is not an array");
  const auto& array = json.get_array();
  if (array.empty() || array.size() > kMost) {
    return fail(ErrorCode::invalid, "must have 1 to " + std::to_string(kMost) + " items");
  }
  for (const boost::json::value& item : array) {
    TRY_VOID(from_json(item, out.items.emplace_back()));
  }
  return {};
}

template <class T>
inline constexpr bool is_optional_member = false;
template <class T>
inline constexpr bool is_optional_member<std::optional<T>> = true;

/// Reads a member into `out`. An optional member may be missing or null. Errors name the member.
template <class T>
Result<void> read_member_of(const boost::json::object& object, std::string_view name, T& out) {
  const boost::json::value* found = object.if_contains({name.data(), name.size()});
  Result<void> read;
  if constexpr (is_optional_member<T>) {
    if (!found || found->is_null()) return {};
    read = from_json(*found, out.emplace());
  } else {
    read = found ? from_json(*found, out) : fail(ErrorCode::invalid, "is missing");
  }
  if (read) return read;
  return fail(read.error().code, "The member \"" + std::string(name) +
                                     "\": " + read.error().message +
                                     (read.error().message.ends_with('.') ? "" : "."));
}

/// Returns `invalid` if the object has a member that T does not have. The message names the member.
template <class T>
Result<void> refuse_unknown(const boost::json::object& object) {
  for (const auto& member : object) {
    const std::string_view name(member.key().data(), member.key().size());
    bool is_known = false;
    for_each_field<T>([&](auto field) { is_known |= field.kDoc.name == name; });
    if (!is_known) {
      return fail(ErrorCode::invalid,
                  "There is no member \"" + std::string(cut_utf8(name, 100)) + "\" here.");
    }
  }
  return {};
}

template <class T>
Result<T> body_from(const boost::json::value& json) {
  if (!json.is_object()) return fail(ErrorCode::invalid, "The body must be a JSON object.");
  const boost::json::object& object = json.get_object();
  T body;
  TRY_VOID(refuse_unknown<T>(object));
  Result<void> read;
  for_each_field<T>([&](auto field) {
    if (read) read = read_member_of(object, field.kDoc.name, field.of(body));
  });
  TRY_VOID(std::move(read));
  return body;
}

template <class T>
Task<Result<T>> read_body(const http::Request& request) {
  if constexpr (std::is_same_v<T, NoBody>) {
    co_return NoBody{};
  } else {
    CO_TRY(const auto json, co_await read_json(request, kBodyBytesOf<T>));
    co_return body_from<T>(json);
  }
}

/// Makes the JSON Schema of the JSON that `from_json` accepts for a T.
template <class T>
struct BodySchema {
  static boost::json::object make() { return ParameterSchema<T>::make(); }
};
template <>
struct BodySchema<bool> {
  static boost::json::object make() { return {{"type", "boolean"}}; }
};
template <>
struct BodySchema<std::uint64_t> {
  static boost::json::object make() {
    return {{"type", "integer"}, {"minimum", 0}, {"maximum", UINT64_MAX}};
  }
};
template <>
struct BodySchema<Timestamp> {
  static boost::json::object make() {
    return {{"type", "string"}, {"pattern", std::string(kTimePattern) + R"((\.\d{1,8})?Z?$)"}};
  }
};
template <class T, std::size_t kMost>
struct BodySchema<ListOf<T, kMost>> {
  static boost::json::object make() {
    return {
        {"type", "array"}, {"minItems", 1}, {"maxItems", kMost}, {"items", BodySchema<T>::make()}};
  }
};
template <class T>
struct BodySchema<std::optional<T>> {
  static boost::json::object make() {
    boost::json::object schema = BodySchema<T>::make();
    if (auto* type = schema.if_contains("type")) {
      *type = boost::json::array{*type, "null"};
    }
    if (auto* words = schema.if_contains("enum")) words->as_array().push_back(nullptr);
    return schema;
  }
};

/// Returns the JSON Schema of a body that is read into B, a struct with FIELDs.
template <class B>
boost::json::object body_schema() {
  boost::json::object properties;
  boost::json::array required;
  for_each_field<B>([&](auto field) {
    using Member = std::remove_cvref_t<decltype(field.of(std::declval<B&>()))>;
    properties[field.kDoc.name] = documented(BodySchema<Member>::make(), field.kDoc);
    if (!is_optional_member<Member>) required.emplace_back(field.kDoc.name);
  });
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

}  // namespace coffer::api::v2
