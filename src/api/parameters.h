#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/described.h"
#include "base/error.h"
#include "base/path.h"
#include "http/query.h"
#include "http/request.h"

namespace coffer::api {

/// A parameter that must be there and must not be empty.
template <class T>
struct NonEmpty {
  T value{};
};

/// The path of an item. The root is a path too; it is refused where the item is used.
struct ItemPath {
  Path value;
};

/// The path of an item that gets a place elsewhere, so that its last component must be a name.
struct SourcePath {
  Path value;
};

/// The path of a folder that is made where it is missing, so that its components must be names.
struct FolderPathToMake {
  Path value;
};

/// What people call a key. Its rules are checked where the key is made.
struct KeyLabel {
  std::string value;
};

/// A parameter that is given once or several times.
template <class T>
struct Repeated {
  static constexpr std::size_t kMost = 500;
  std::vector<T> values;
};

/// The same, but it need not be given, and no more than `most` times.
template <class T, std::size_t most>
struct UpTo {
  static constexpr std::size_t kMost = most;
  std::vector<T> values;
};

/// What an endpoint takes that has no parameters.
struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())

template <>
struct Docs<NoParameters> {
  static constexpr std::string_view name = "NoParameters";
  static constexpr std::array<FieldDoc, 0> fields{};
};

/// Collects what is wrong with the parameters. Errors of form come before those of rights, so
/// that `invalid` comes before `forbidden`, whatever the order of the parameters.
class ParameterErrors {
 public:
  void add(std::string_view parameter, Error error);
  bool any() const { return first_.has_value(); }
  std::unexpected<Error> take() { return std::unexpected(*std::move(first_)); }

 private:
  std::optional<Error> first_;
};

/// Parses one parameter's text into a member; each overload is one kind of parameter.
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
template <IsWord E>
Result<void> parse_value(std::string_view text, E& out) {
  std::string allowed;
  for (const E value : Words<E>::all) {
    const std::string_view word = to_string(value);
    if (text == word) {
      out = value;
      return {};
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(word);
  }
  return fail(ErrorCode::invalid, "must be one of " + allowed);
}
template <class T>
Result<void> parse_value(std::string_view text, std::optional<T>& out) {
  return parse_value(text, out.emplace());
}
/// A new item's name has no empty state, so it is parsed where it is used.
struct NewName {
  std::optional<Name> name;
};
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

/// One parameter: `present` tells a missing one from an empty one.
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

/// What becomes of parameters in the query that nothing is read from.
enum class OtherParameters : std::uint8_t { pass, refuse };

/// `invalid` where the query has a parameter of another name: what it was meant to say would be
/// passed over.
Result<void> refuse_others(const http::Query& query, std::span<const std::string_view> names);

/// Reads the parameters struct P from the query and, for names in `captured`, from the path.
template <class P>
Result<P> read_parameters(const http::Request& request,
                          const std::vector<std::string_view>& captured,
                          OtherParameters others = OtherParameters::pass) {
  auto query = http::Query::parse(request.query);
  if (!query) return failure_of(std::move(query));
  P parameters;
  ParameterErrors errors;
  std::vector<std::string_view> names;
  for_each_member<P>([&](auto descriptor, const FieldDoc& doc) {
    auto& member = parameters.*descriptor.pointer;
    if constexpr (is_repeated<std::remove_cvref_t<decltype(member)>>) {
      names.push_back(doc.name);
      read_repeated(doc.name, *query, member, errors);
    } else {
      for (std::size_t i = 0; i < captured.size(); ++i) {
        if (captured[i] != doc.name) continue;
        const auto text = http::percent_decode(request.captures[i], false);
        if (!text) return errors.add(doc.name, text.error());
        return read_member(doc.name, std::string_view(*text), member, errors);
      }
      names.push_back(doc.name);
      const auto text = query->get(doc.name);
      if (!text) return errors.add(doc.name, text.error());
      read_member(doc.name, *text, member, errors);
    }
  });
  if (errors.any()) return errors.take();
  if (others == OtherParameters::refuse) {
    if (auto none = refuse_others(*query, names); !none) return failure_of(std::move(none));
  }
  return parameters;
}

}  // namespace coffer::api
