#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/parameter_schema.h"
#include "api/schema.h"

/// Lists that are answered in parts.
namespace coffer::api::v2 {

/// How many entries one answer has at most: 1 to 200.
struct ListLimit {
  std::uint64_t value = 100;
};

/// Where an answer begins: `next` of the one before.
struct ListCursor {
  std::string value;
};

Result<void> parse_value(std::string_view text, ListLimit& out);
Result<void> parse_value(std::string_view text, ListCursor& out);

/// What a list takes that has no other parameters.
struct ListPartParameters {
  std::optional<ListLimit> limit;
  std::optional<ListCursor> cursor;
};
BOOST_DESCRIBE_STRUCT(ListPartParameters, (), (limit, cursor))

/// A part of a list. In JSON `{"entries":[…],"next":…}`, where `next` is null at the end.
template <class T>
struct Page {
  std::vector<T> entries;
  std::optional<std::string> next;
};

template <class T>
void write_json(JsonWriter& out, const Page<T>& page) {
  out.StartObject();
  out.Key("entries", 7);
  api::write_json(out, page.entries);
  out.Key("next", 4);
  api::write_json(out, page.next);
  out.EndObject();
}

/// The part of `all` that is asked for, sorted by `key_of`, a text that is unique.
template <class T, class KeyOf>
Page<T> page_of(std::vector<T> all, const std::optional<ListLimit>& limit,
                const std::optional<ListCursor>& cursor, KeyOf key_of) {
  if (cursor) std::erase_if(all, [&](const T& one) { return key_of(one) <= cursor->value; });
  std::ranges::sort(all, {}, key_of);
  Page<T> page;
  const std::size_t most = limit.value_or(ListLimit()).value;
  if (all.size() > most) {
    all.resize(most);
    page.next = key_of(all.back());
  }
  page.entries = std::move(all);
  return page;
}

}  // namespace coffer::api::v2

namespace coffer::api {

inline constexpr std::array<FieldDoc, 2> kPageFields{{
    {"limit", "How many entries the answer has at most; 100 by default.", "100"},
    {"cursor", "To go on: `next` of the answer before.", R"("ann")"},
}};

template <>
struct Docs<v2::ListPartParameters> {
  static constexpr auto fields = kPageFields;
};

template <>
struct ParameterSchema<v2::ListLimit> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<v2::ListCursor> {
  static boost::json::object make();
};

template <class T>
struct Schema<v2::Page<T>> {
  static boost::json::value make(Components& components) {
    boost::json::object next = schema_of<std::optional<std::string>>(components).as_object();
    next["description"] = "To be sent as `cursor` for what follows; null at the end.";
    boost::json::object properties;
    properties["entries"] = schema_of<std::vector<T>>(components);
    properties["next"] = std::move(next);
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", {"entries", "next"}},
            {"additionalProperties", false}};
  }
};

}  // namespace coffer::api
