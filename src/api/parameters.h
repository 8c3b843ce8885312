#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/fields.h"
#include "api/json.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/path.h"
#include "http/message.h"
#include "http/query.h"

namespace coffer::api {

/// A required parameter that must not be empty.
template <class T>
struct NonEmpty {
  T value{};
  static boost::json::object schema();
};

/// The path of an item other than the root. `parse_value` accepts the root; the services refuse it.
struct ItemPath {
  Path value;
  static boost::json::object schema();
};

/// The path of an item to move or copy. The service checks that the last component is a valid Name.
struct SourcePath {
  Path value;
  static boost::json::object schema();
};

/// The path of a folder, made if it is missing. The service checks that its components are Names.
struct FolderPathToMake {
  Path value;
  static boost::json::object schema();
};

/// The label of a key. The service checks that it has at most 100 characters.
struct KeyLabel {
  std::string value;
  static boost::json::object schema();
};

struct NewName {
  std::optional<Name> name;  ///< Set by `parse_value`. Optional only because a Name is never empty.
  static boost::json::object schema();
};

inline constexpr std::string_view kNewNameText =
    "1 to 255 bytes of UTF-8 without slashes, backslashes and control characters; not . or ..; at "
    "the root not beginning with __adm_ or __conn_.";

/// A required parameter that may be given up to `kMost` times.
template <class T>
struct Repeated {
  static constexpr std::size_t kMost = 500;
  std::vector<T> values;
  static boost::json::object schema();
};

/// An optional parameter that may be given up to `most` times.
template <class T, std::size_t most>
struct UpTo {
  static constexpr std::size_t kMost = most;
  std::vector<T> values;
  static boost::json::object schema();
};

struct NoParameters {
  FIELDS_OF();
};

/// Makes the JSON Schema (2020-12) of the texts that are valid for a T. A type without a
/// specialization must have a static function `schema`. Patterns use only the syntax that all
/// regular expression engines support. JSON Schema limits lengths in characters, not in bytes.
/// Limits in bytes therefore have keywords of our own:
/// - `x-maxBytes` for the whole text;
/// - `x-maxComponentBytes` for each component of a path;
/// - `x-maxNameBytes` for the last component of a path.
template <class T>
struct ParameterSchema {
  static boost::json::object make() { return T::schema(); }
};
template <>
struct ParameterSchema<std::string> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<Path> {
  static boost::json::object make();
};
template <HasWords E>
struct ParameterSchema<E> {
  static boost::json::object make() { return word_schema<E>(); }
};
template <class T>
struct ParameterSchema<std::optional<T>> : ParameterSchema<T> {};

template <class T>
boost::json::object NonEmpty<T>::schema() {
  boost::json::object schema = ParameterSchema<T>::make();
  schema["minLength"] = 1;
  return schema;
}
template <class T>
boost::json::object Repeated<T>::schema() {
  return {{"type", "array"},
          {"items", ParameterSchema<T>::make()},
          {"minItems", 1},
          {"maxItems", kMost}};
}
template <class T, std::size_t most>
boost::json::object UpTo<T, most>::schema() {
  return {{"type", "array"}, {"items", ParameterSchema<T>::make()}, {"maxItems", most}};
}

/// Receives the errors of all parameters and keeps one of them: the first `invalid` error or, if
/// there is none, the first `forbidden` error.
class ParameterErrors {
 public:
  void add(std::string_view parameter, Error error);
  bool any() const { return first_.has_value(); }
  std::unexpected<Error> take() { return std::unexpected(*std::move(first_)); }

 private:
  std::optional<Error> first_;
};

/// Parses a whole number from 1 to `most`; `invalid` for other texts.
Result<void> parse_count(std::string_view text, std::size_t most, std::size_t& out);
/// Parses a parameter into `out`. Errors: `forbidden` for a path with `..`, otherwise `invalid`.
Result<void> parse_value(std::string_view text, std::string& out);
Result<void> parse_value(std::string_view text, Path& out);
Result<void> parse_value(std::string_view text, ItemPath& out);
Result<void> parse_value(std::string_view text, SourcePath& out);
Result<void> parse_value(std::string_view text, FolderPathToMake& out);
Result<void> parse_value(std::string_view text, KeyLabel& out);
template <class T>
Result<void> parse_value(std::string_view text, NonEmpty<T>& out) {
  return parse_value(text, out.value);
}
template <HasWords E>
Result<void> parse_value(std::string_view text, E& out) {
  const auto value = enum_from<E>(text);
  if (!value) return fail(ErrorCode::invalid, "must be one of " + list_of_words<E>());
  out = *value;
  return {};
}
template <class T>
Result<void> parse_value(std::string_view text, std::optional<T>& out) {
  return parse_value(text, out.emplace());
}
Result<void> parse_value(std::string_view text, NewName& out);

template <class T>
inline constexpr bool is_optional_parameter = false;
template <class T>
inline constexpr bool is_optional_parameter<std::optional<T>> = true;
template <class T, std::size_t most>
inline constexpr bool is_optional_parameter<UpTo<T, most>> = true;
template <class T>
inline constexpr bool refuses_empty = std::is_same_v<T, NewName>;
template <class T>
inline constexpr bool refuses_empty<NonEmpty<T>> = true;

/// Reads a parameter into `out`, or adds an error to `errors`. It is missing if `text` is nullopt,
/// or empty and `refuses_empty<Member>`. An optional parameter that is missing is not an error.
template <class Member>
void read_member(std::string_view name, std::optional<std::string_view> text, Member& out,
                 ParameterErrors& errors) {
  if (!text || (refuses_empty<Member> && text->empty())) {
    if constexpr (!is_optional_parameter<Member>) {
      errors.add(name, {ErrorCode::invalid, "is missing"});
    }
    return;
  }
  auto parsed = parse_value(*text, out);
  if (!parsed) errors.add(name, std::move(parsed).error());
}

/// Reads all occurrences of one parameter into `out`. Adds an error to `errors` if this fails.
template <class Member>
void read_repeated(std::string_view name, const http::Query& query, Member& out,
                   ParameterErrors& errors) {
  const auto texts = query.all(name);
  if (texts.empty() && !is_optional_parameter<Member>) {
    return errors.add(name, {ErrorCode::invalid, "is missing"});
  }
  if (texts.size() > Member::kMost) {
    return errors.add(name, {ErrorCode::invalid, "is given too often"});
  }
  for (const std::string_view text : texts) {
    auto parsed = parse_value(text, out.values.emplace_back());
    if (!parsed) errors.add(name, std::move(parsed).error());
  }
}

template <class T>
inline constexpr bool is_repeated = false;
template <class T>
inline constexpr bool is_repeated<Repeated<T>> = true;
template <class T, std::size_t most>
inline constexpr bool is_repeated<UpTo<T, most>> = true;

/// How `read_parameters` treats unknown query parameters: it ignores (`pass`) or refuses them.
enum class OtherParameters : std::uint8_t { pass, refuse };

/// Returns `invalid` if the query has a parameter that is not in `names`, such as a misspelt one.
Result<void> refuse_others(const http::Query& query, std::span<const std::string_view> names);

/// Returns the names between braces in a route's pattern, in order.
std::vector<std::string_view> captured_names(std::string_view pattern);

/// Reads the parameters of a request into a P, a struct with FIELDs. A field whose name `captured`
/// contains is read from the path, any other field from the query.
template <class P>
Result<P> read_parameters(const http::Request& request,
                          const std::vector<std::string_view>& captured,
                          OtherParameters others = OtherParameters::pass) {
  TRY(auto query, http::Query::parse(request.query));
  P parameters;
  ParameterErrors errors;
  std::vector<std::string_view> names;
  for_each_field<P>([&](auto field) {
    constexpr FieldDoc doc = field.kDoc;
    auto& member = field.of(parameters);
    if constexpr (is_repeated<std::remove_cvref_t<decltype(member)>>) {
      names.push_back(doc.name);
      read_repeated(doc.name, query, member, errors);
    } else {
      for (std::size_t i = 0; i < captured.size(); ++i) {
        if (captured[i] != doc.name) continue;
        const auto text = http::percent_decode(request.captures[i], false);
        if (!text) return errors.add(doc.name, text.error());
        return read_member(doc.name, std::string_view(*text), member, errors);
      }
      names.push_back(doc.name);
      const auto text = query.get(doc.name);
      if (!text) return errors.add(doc.name, text.error());
      read_member(doc.name, *text, member, errors);
    }
  });
  if (errors.any()) return errors.take();
  if (others == OtherParameters::refuse) {
    if (auto none = refuse_others(query, names); !none) return failure_of(std::move(none));
  }
  return parameters;
}

}  // namespace coffer::api
