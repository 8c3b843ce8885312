#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

/// Structs whose fields carry their own documentation. The macro FIELD declares a field with its
/// type, its name, and the text and the example that the API's description shows for it:
///
///   struct Message {
///     static constexpr std::string_view kSchema = "Message";  // For answers: the schema's name.
///     FIELD(std::string, message, "The change that was made.", R"("The folder was created.")");
///   };
///
/// The example is JSON. If a name is a keyword of C++, the field is declared with a trailing
/// underscore, which is removed in JSON. A struct that inherits from one struct with FIELDs has the
/// base's fields first, then its own. A struct that inherits from several such structs must list
/// them in FIELDS_OF and have no FIELDs of its own. FIELDS_OF() declares that there are no fields.
namespace coffer::api {

struct FieldDoc {
  std::string_view name;
  std::string_view text;
  std::string_view example;  ///< As JSON.
};

/// A field that is left out of the JSON if it has no value. (A plain std::optional becomes null.)
template <class T>
struct Omittable : std::optional<T> {
  using std::optional<T>::optional;
};

namespace detail {

template <class... Fields>
struct FieldList {
  static constexpr std::size_t kSize = sizeof...(Fields);
  template <class Field>
  using With = FieldList<Fields..., Field>;
};

template <class... Lists>
struct Joined {
  using List = FieldList<>;
};
template <class... Fields>
struct Joined<FieldList<Fields...>> {
  using List = FieldList<Fields...>;
};
template <class... First, class... Second, class... Rest>
struct Joined<FieldList<First...>, FieldList<Second...>, Rest...>
    : Joined<FieldList<First..., Second...>, Rest...> {};

/// The n-th FIELD of a struct declares an overload of `fields_so_far` that takes FieldNumber<n> and
/// returns the first n fields. Each FieldNumber inherits from the one before, so a call with
/// LastField selects the overload with the greatest n, which returns all fields.
template <std::size_t kNumber>
struct FieldNumber : FieldNumber<kNumber - 1> {};
template <>
struct FieldNumber<0> {
  friend FieldList<> fields_so_far(FieldNumber<0>);
};
using LastField = FieldNumber<40>;

consteval std::string_view name_in_json(std::string_view member) {
  if (member.ends_with('_')) member.remove_suffix(1);
  return member;
}

}  // namespace detail

#define COFFER_FIELDS_SO_FAR_ decltype(fields_so_far(::coffer::api::detail::LastField()))

#define FIELD(Type, member, text, example)                                                        \
  Type member{};                                                                                  \
  struct member##Field {                                                                          \
    static constexpr ::coffer::api::FieldDoc kDoc{::coffer::api::detail::name_in_json(#member),   \
                                                  text, example};                                 \
    static constexpr auto& of(auto& object) {                                                     \
      return object.member;                                                                       \
    }                                                                                             \
  };                                                                                              \
  static auto fields_so_far(::coffer::api::detail::FieldNumber<COFFER_FIELDS_SO_FAR_::kSize + 1>) \
      ->COFFER_FIELDS_SO_FAR_::With<member##Field>

#define FIELDS_OF(...) \
  static auto fields_so_far(::coffer::api::detail::LastField)->::coffer::api::FieldsOf<__VA_ARGS__>

/// The FieldList of a struct, or the joined FieldList of several structs in the given order.
template <class... T>
using FieldsOf = detail::Joined<decltype(T::fields_so_far(detail::LastField()))...>::List;

template <class T>
concept HasFields = requires { typename FieldsOf<T>; };

/// Calls `visit(field)` for each field in order. `field.kDoc` describes the field, and
/// `field.of(object)` returns the member.
template <class T, class Visit>
void for_each_field(Visit visit) {
  [&]<class... Fields>(detail::FieldList<Fields...>) { (visit(Fields()), ...); }(FieldsOf<T>());
}

}  // namespace coffer::api
