#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// The words that the catalog, the API and the command line use for the values of an enum. Each
/// word is written once, in a table. Define the table beside the enum, in the enum's namespace:
///
///   constexpr auto words_of(Role) {
///     return enum_words<Role>({{Role::user, "user"}, {Role::admin, "admin"}});
///   }
namespace coffer {

template <class E>
struct EnumWord {
  E value;
  std::string_view word;
};

/// Makes the table for `words_of`. The table must contain every value exactly once. Lists and
/// descriptions show the values in the order of the table.
template <class E, std::size_t kCount>
consteval std::array<EnumWord<E>, kCount> enum_words(const EnumWord<E> (&table)[kCount]) {
  return std::to_array(table);
}

template <class E>
concept HasWords = requires(E value) { words_of(value).front().word; };

namespace detail {

/// Returns true if `kValue` is the value of an enumerator. In __PRETTY_FUNCTION__, compilers print
/// such a value as the enumerator's name, and any other value as a cast, such as `(Role)7`.
template <auto kValue>
consteval bool is_enumerator() {
  const std::string_view function = __PRETTY_FUNCTION__;
  return function.substr(function.rfind("kValue = ") + 9).front() != '(';
}

/// Returns false if the value after the greatest one in the table is an enumerator without a word.
template <class E>
consteval bool has_all_words() {
  if constexpr (std::is_enum_v<E>) {
    constexpr auto kTable = words_of(E());
    constexpr E kGreatest = std::ranges::max(kTable, {}, &EnumWord<E>::value).value;
    return !is_enumerator<static_cast<E>(std::to_underlying(kGreatest) + 1)>();
  }
  return true;
}

}  // namespace detail

/// Returns the word of a value. Throws if the table does not have the value.
template <HasWords E>
constexpr std::string_view word_of(E value) {
  static_assert(detail::has_all_words<E>(), "an enumerator has no word");
  for (const EnumWord<E>& each : words_of(E())) {
    if (each.value == value) return each.word;
  }
  throw std::logic_error("a value of an enum has no word");
}

/// Returns the value of a word; nullopt if the text is not a word of the enum.
template <HasWords E>
constexpr std::optional<E> enum_from(std::string_view word) {
  for (const EnumWord<E>& each : words_of(E())) {
    if (each.word == word) return each.value;
  }
  return std::nullopt;
}

/// Returns all words, separated by ", ", for messages.
template <HasWords E>
std::string list_of_words() {
  std::string list;
  for (const EnumWord<E>& each : words_of(E())) {
    if (!list.empty()) list += ", ";
    list += each.word;
  }
  return list;
}

}  // namespace coffer
