#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#define RAPIDJSON_HAS_STDSTRING 1
#ifdef __SSE2__
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "api/fields.h"
#include "base/clock.h"
#include "base/enum_words.h"

/// Writes answers as JSON, and makes the schemas that describe them.
namespace coffer::api {

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

/// A JSON array that is written with little memory: `write_json` converts one item at a time to a
/// View with `kConvert`, writes this View and destroys it before it converts the next item.
template <class View, class Source, View (*kConvert)(const Source&)>
struct ArrayOf {
  std::vector<Source> items;
};

inline void write_json(JsonWriter& out, bool value) {
  out.Bool(value);
}
inline void write_json(JsonWriter& out, std::uint64_t value) {
  out.Uint64(value);
}
inline void write_json(JsonWriter& out, std::string_view text) {
  out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}
inline void write_json(JsonWriter& out, const std::string& text) {
  write_json(out, std::string_view(text));
}
inline void write_json(JsonWriter& out, Timestamp time) {
  write_json(out, format_timestamp(time));
}

template <HasWords E>
void write_json(JsonWriter& out, E value) {
  write_json(out, word_of(value));
}

template <HasFields T>
void write_json(JsonWriter& out, const T& value);
template <class T>
void write_json(JsonWriter& out, const std::optional<T>& value);
template <class T>
void write_json(JsonWriter& out, const std::vector<T>& values);
template <class View, class Source, View (*kConvert)(const Source&)>
void write_json(JsonWriter& out, const ArrayOf<View, Source, kConvert>& values);

template <class T>
inline constexpr bool is_omittable = false;
template <class T>
inline constexpr bool is_omittable<Omittable<T>> = true;

template <HasFields T>
void write_json(JsonWriter& out, const T& value) {
  out.StartObject();
  for_each_field<T>([&](auto field) {
    const auto& member = field.of(value);
    constexpr bool kIsOmittable = is_omittable<std::remove_cvref_t<decltype(member)>>;
    if constexpr (kIsOmittable) {
      if (!member) return;
    }
    const std::string_view name = field.kDoc.name;
    out.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
    if constexpr (kIsOmittable) {
      write_json(out, *member);
    } else {
      write_json(out, member);
    }
  });
  out.EndObject();
}

template <class T>
void write_json(JsonWriter& out, const std::optional<T>& value) {
  if (value) {
    write_json(out, *value);
  } else {
    out.Null();
  }
}

template <class T>
void write_json(JsonWriter& out, const std::vector<T>& values) {
  out.StartArray();
  for (const T& value : values) write_json(out, value);
  out.EndArray();
}

template <class View, class Source, View (*kConvert)(const Source&)>
void write_json(JsonWriter& out, const ArrayOf<View, Source, kConvert>& values) {
  out.StartArray();
  for (const Source& item : values.items) write_json(out, kConvert(item));
  out.EndArray();
}

template <class T>
std::string json_of(const T& value) {
  rapidjson::StringBuffer buffer;
  JsonWriter out(buffer);
  write_json(out, value);
  return std::string(buffer.GetString(), buffer.GetSize());
}

/// Returns `{"success":true,"data":...}` with this data.
template <class T>
std::string success_json(const T& data) {
  return R"({"success":true,"data":)" + json_of(data) + '}';
}

using Components = boost::json::object;

/// Makes the JSON Schema (2020-12) of the JSON that `write_json` writes for a T. The schema of a
/// struct with FIELDs is stored once in `components`, and other schemas refer to it by `$ref`. A
/// type without a specialization must have a static function `answer_schema`.
template <class T>
struct Schema {
  static boost::json::value make(Components& components) { return T::answer_schema(components); }
};

template <class T>
boost::json::value schema_of(Components& components) {
  return Schema<T>::make(components);
}

template <>
struct Schema<bool> {
  static boost::json::value make(Components&) { return {{"type", "boolean"}}; }
};
template <>
struct Schema<std::uint64_t> {
  static boost::json::value make(Components&) { return {{"type", "integer"}, {"minimum", 0}}; }
};
template <>
struct Schema<std::string> {
  static boost::json::value make(Components&) { return {{"type", "string"}}; }
};
template <>
struct Schema<Timestamp> {
  static boost::json::value make(Components&) {
    return {{"type", "string"}, {"pattern", "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$"}};
  }
};

/// Returns the JSON Schema of an enum: a string that is one of its words.
template <HasWords E>
boost::json::object word_schema() {
  boost::json::array words;
  for (const EnumWord<E>& each : words_of(E())) words.emplace_back(each.word);
  return {{"type", "string"}, {"enum", std::move(words)}};
}

template <HasWords E>
struct Schema<E> {
  static boost::json::value make(Components&) { return word_schema<E>(); }
};
template <class T>
struct Schema<std::optional<T>> {
  static boost::json::value make(Components& components) {
    boost::json::array any;
    any.push_back(schema_of<T>(components));
    any.push_back(boost::json::object{{"type", "null"}});
    return {{"anyOf", std::move(any)}};
  }
};
template <class T>
struct Schema<Omittable<T>> {
  static boost::json::value make(Components& components) { return schema_of<T>(components); }
};
template <class T>
struct Schema<std::vector<T>> {
  static boost::json::value make(Components& components) {
    return {{"type", "array"}, {"items", schema_of<T>(components)}};
  }
};
template <class View, class Source, View (*kConvert)(const Source&)>
struct Schema<ArrayOf<View, Source, kConvert>> : Schema<std::vector<View>> {};

inline boost::json::object documented(boost::json::object schema, const FieldDoc& doc) {
  schema["description"] = doc.text;
  schema["examples"] = boost::json::array{boost::json::parse(doc.example)};
  return schema;
}

template <HasFields T>
struct Schema<T> {
  static boost::json::value make(Components& components) {
    constexpr std::string_view name = T::kSchema;
    if (!components.contains(name)) components[name] = object(components);
    return {{"$ref", "#/components/schemas/" + std::string(name)}};
  }

 private:
  static boost::json::value object(Components& components) {
    boost::json::object properties;
    boost::json::array required;
    for_each_field<T>([&](auto field) {
      using Member = std::remove_cvref_t<decltype(field.of(std::declval<T&>()))>;
      properties[field.kDoc.name] =
          documented(schema_of<Member>(components).as_object(), field.kDoc);
      if (!is_omittable<Member>) required.emplace_back(field.kDoc.name);
    });
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
  }
};

}  // namespace coffer::api
