#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/parameters.h"

/// The pages of all lists except the items of folders, whose pages files.h declares.
namespace coffer::api::v2 {

/// The maximum number of entries on one page: 1 to 200.
struct ListLimit {
  std::uint64_t value = 100;
  static boost::json::object schema();
};

/// The position where a page of a list begins: the value of `next` in the previous page.
struct ListCursor {
  std::string value;
  static boost::json::object schema();
};

Result<void> parse_value(std::string_view text, ListLimit& out);
Result<void> parse_value(std::string_view text, ListCursor& out);

struct ListPartParameters {
  FIELD(std::optional<ListLimit>, limit,
        "The maximum number of entries of the answer; 100 by default.", "100");
  FIELD(std::optional<ListCursor>, cursor,
        "The position to continue from: `next` of the previous answer.", R"("ann")");
};

/// A page of a list. In JSON it is `{"entries":[...],"next":...}`; `next` is null in the last page.
template <class T>
struct Page {
  std::vector<T> entries;
  std::optional<std::string> next;

  static boost::json::value answer_schema(Components& components) {
    boost::json::object next = schema_of<std::optional<std::string>>(components).as_object();
    next["description"] = "The `cursor` of the next request; null at the end of the list.";
    boost::json::object properties;
    properties["entries"] = schema_of<std::vector<T>>(components);
    properties["next"] = std::move(next);
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", {"entries", "next"}},
            {"additionalProperties", false}};
  }
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

/// Sorts `all` by `key_of` and returns the page after the cursor; without a cursor, the first page.
/// `key_of` must return a different text for each entry.
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

/// Returns the cursor of a position in a list that is sorted by time and id.
std::string cursor_of(Timestamp at, std::string_view id);
/// Returns the position of a cursor that `cursor_of` made; `invalid` if another did.
Result<std::pair<Timestamp, std::string>> position_of(const ListCursor& cursor);

}  // namespace coffer::api::v2
