#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/described.h"
#include "api/parameters.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "http/request.h"

/// Reads the JSON of a request's body into described structs. What is not described is refused, so
/// that a member that was misspelt does not pass for one that is missing.
namespace coffer::api::v2 {

using api::parse_value;  // Those of this namespace would hide it.

/// What an endpoint takes that has no body.
struct NoBody {};

/// A password as it is typed: any text of at most 1024 bytes. It is never in a message.
struct Password {
  std::string value;
};

/// A JSON object that is kept as it is, of at most 16 KiB.
struct AnyObject {
  boost::json::object value;
};

/// The body as one JSON value. `invalid` where it is none, has more than 64 KiB, or its
/// `Content-Type` is not `application/json`, which pages of other sites cannot send unasked.
Task<Result<boost::json::value>> read_json(const http::Request& request);

Result<void> from_json(const boost::json::value& json, bool& out);
Result<void> from_json(const boost::json::value& json, std::uint64_t& out);
Result<void> from_json(const boost::json::value& json, Password& out);
Result<void> from_json(const boost::json::value& json, AnyObject& out);
/// UTC, as the answers write it; also with a fraction and a `Z`, as programs like to (RFC 3339).
Result<void> from_json(const boost::json::value& json, Timestamp& out);

/// The text of a JSON string; `invalid` for another value, or with control characters in it.
Result<std::string_view> text_of(const boost::json::value& json);

/// Whatever a parameter in the query can be.
template <class T>
  requires requires(std::string_view text, T& out) { parse_value(text, out); }
Result<void> from_json(const boost::json::value& json, T& out) {
  const auto text = text_of(json);
  if (!text) return failure_of(text);
  if (refuses_empty<T> && text->empty()) return fail(ErrorCode::invalid, "is empty");
  return parse_value(*text, out);
}

/// Items of an array, of which there are from 1 to `kMost`.
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
    auto read = from_json(item, out.items.emplace_back());
    if (!read) return read;
  }
  return {};
}

template <class T>
inline constexpr bool is_optional_member = false;
template <class T>
inline constexpr bool is_optional_member<std::optional<T>> = true;

/// One member, and where it stands, for a message.
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

/// `invalid` naming a member that T does not have.
template <class T>
Result<void> refuse_unknown(const boost::json::object& object) {
  for (const auto& member : object) {
    const std::string_view name(member.key().data(), member.key().size());
    bool is_known = false;
    for_each_member<T>([&](auto, const FieldDoc& doc) { is_known |= doc.name == name; });
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
  Result<void> read = refuse_unknown<T>(object);
  for_each_member<T>([&](auto descriptor, const FieldDoc& doc) {
    if (read) read = read_member_of(object, doc.name, body.*descriptor.pointer);
  });
  if (!read) return failure_of(std::move(read));
  return body;
}

template <class T>
Task<Result<T>> read_body(const http::Request& request) {
  if constexpr (std::is_same_v<T, NoBody>) {
    co_return NoBody{};
  } else {
    const auto json = co_await read_json(request);
    if (!json) co_return failure_of(json);
    co_return body_from<T>(*json);
  }
}

}  // namespace coffer::api::v2
