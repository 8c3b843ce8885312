#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/enum_words.h"
#include "base/id.h"
#include "base/path.h"
#include "sql/failure.h"

namespace coffer::sql {

/// A value of a column or of a statement's parameter: NULL, an integer or a text.
using Value = std::variant<std::monostate, std::int64_t, std::string>;

/// Throws the Failure of a column whose value its type cannot hold: another program, or another
/// version of this one, has written it. `what` is what the column holds.
[[noreturn]] void fail_at(const std::string& what);

/// Returns the integer; PostgreSQL's are texts. Calls fail_at if the value is none.
std::int64_t integer_of(const Value& value);
/// Returns the text. Calls fail_at if the value is NULL.
const std::string& text_of(const Value& value);

/// Converts between a C++ type and a Value. `from` calls fail_at if the type cannot hold the value.
template <class T>
struct Codec;

/// Integers. A greater number than a column can hold is stored as the greatest one.
template <std::integral T>
struct Codec<T> {
  static Value to(T number) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return std::cmp_greater(number, kMost) ? kMost : static_cast<std::int64_t>(number);
  }
  static T from(const Value& value) {
    const std::int64_t number = integer_of(value);
    if (!std::in_range<T>(number)) fail_at("a number out of range");
    return static_cast<T>(number);
  }
};

template <>
struct Codec<bool> {
  static Value to(bool flag) { return std::int64_t{flag}; }
  static bool from(const Value& value) { return integer_of(value) != 0; }
};

template <>
struct Codec<std::string> {
  static Value to(std::string text) { return text; }
  static std::string from(const Value& value) { return text_of(value); }
};

template <>
struct Codec<std::string_view> {
  static Value to(std::string_view text) { return std::string(text); }
};

template <>
struct Codec<const char*> : Codec<std::string_view> {};

/// Stored as nanoseconds since the start of 1970.
template <>
struct Codec<Timestamp> {
  static Value to(Timestamp time) { return std::int64_t{time.time_since_epoch().count()}; }
  static Timestamp from(const Value& value) {
    return Timestamp(std::chrono::nanoseconds(integer_of(value)));
  }
};

template <class Tag, class T>
struct Codec<StrongId<Tag, T>> {
  static Value to(const StrongId<Tag, T>& id) { return Codec<T>::to(id.value); }
  static StrongId<Tag, T> from(const Value& value) { return {Codec<T>::from(value)}; }
};

/// Stored as the enumerator's word (base/enum_words.h).
template <HasWords E>
struct Codec<E> {
  static Value to(E value) { return std::string(word_of(value)); }
  static E from(const Value& value) {
    const auto found = enum_from<E>(text_of(value));
    if (!found) fail_at("an unknown word");
    return *found;
  }
};

template <>
struct Codec<Path> {
  static Value to(const Path& path) { return path.str(); }
  static Path from(const Value& value) {
    auto path = Path::parse(text_of(value));
    if (!path) fail_at("a path that is none");
    return *std::move(path);
  }
};

/// An absent value is NULL.
template <class T>
struct Codec<std::optional<T>> {
  static Value to(const std::optional<T>& value) { return value ? Codec<T>::to(*value) : Value(); }
  static std::optional<T> from(const Value& value) {
    if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
    return Codec<T>::from(value);
  }
};

/// Converts an argument of a statement.
template <class T>
Value to_value(const T& argument) {
  return Codec<std::decay_t<const T&>>::to(argument);
}

}  // namespace coffer::sql
