#pragma once

#include <algorithm>
#include <array>
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <optional>
#include <string_view>
#include <type_traits>

namespace coffer::api {

/// What the API description says of one member of a described struct.
struct FieldDoc {
  std::string_view name;
  std::string_view text;
  std::string_view example;  ///< As JSON.
};

/// Specialised for every described struct: `name` and an array `fields`, one for each member.
template <class T>
struct Docs;

/// A member that is left out of the JSON when it is empty, where std::optional becomes null.
template <class T>
struct Omittable : std::optional<T> {
  using std::optional<T>::optional;
};

/// Specialised for every enumeration in the answers: `all` holds its values, and `to_string` turns
/// each into its word.
template <class E>
struct Words;

template <class E>
concept IsWord = requires(E value) {
  Words<E>::all;
  std::string_view(to_string(value));
};

/// The documentation of a struct whose members are partly those of a base.
template <std::size_t kFirst, std::size_t kSecond>
constexpr std::array<FieldDoc, kFirst + kSecond> joined(
    const std::array<FieldDoc, kFirst>& first, const std::array<FieldDoc, kSecond>& second) {
  std::array<FieldDoc, kFirst + kSecond> all{};
  std::ranges::copy(first, all.begin());
  std::ranges::copy(second, all.begin() + kFirst);
  return all;
}

template <class T>
inline constexpr bool is_described = boost::describe::has_describe_members<T>::value;

/// Those of the bases first.
template <class T>
using MembersOf = boost::describe::describe_members<T, boost::describe::mod_public |
                                                           boost::describe::mod_inherited>;

/// The documentation of a member; the program does not compile where one is missing.
template <class T>
consteval FieldDoc doc_of(std::string_view member) {
  if (member.ends_with('_')) member.remove_suffix(1);  // A name that is a keyword of C++.
  const auto found = std::ranges::find(Docs<T>::fields, member, &FieldDoc::name);
  if (found == Docs<T>::fields.end()) throw "a described member has no documentation";
  return *found;
}

/// Calls `visit(descriptor, doc)` for each member in the order of its declaration.
template <class T, class Visit>
void for_each_member(Visit visit) {
  boost::mp11::mp_for_each<MembersOf<T>>([&](auto descriptor) {
    constexpr FieldDoc doc = doc_of<T>(decltype(descriptor)::name);
    visit(descriptor, doc);
  });
}

}  // namespace coffer::api
