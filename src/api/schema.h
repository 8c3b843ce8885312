#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/described.h"
#include "api/json.h"
#include "api/parameters.h"
#include "base/clock.h"

namespace coffer::api {

/// The JSON Schema (2020-12) of what write_json writes for a T. Described structs are put once into
/// `components` and referred to.
template <class T>
struct Schema;

using Components = boost::json::object;

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
template <IsWord E>
struct Schema<E> {
  static boost::json::value make(Components&) {
    boost::json::array words;
    for (const E value : Words<E>::all) words.emplace_back(to_string(value));
    return {{"type", "string"}, {"enum", std::move(words)}};
  }
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

/// A member's schema with its documentation beside it.
template <class T>
boost::json::value documented_schema(Components& components, const FieldDoc& doc) {
  boost::json::value schema = schema_of<T>(components);
  boost::json::object& object = schema.as_object();
  object["description"] = doc.text;
  object["examples"] = boost::json::array{boost::json::parse(doc.example)};
  return schema;
}

template <class T>
  requires is_described<T>
struct Schema<T> {
  static boost::json::value make(Components& components) {
    const std::string_view name = Docs<T>::name;
    if (!components.contains(name)) components[name] = object(components);
    return {{"$ref", "#/components/schemas/" + std::string(name)}};
  }

 private:
  static boost::json::value object(Components& components) {
    boost::json::object properties;
    boost::json::array required;
    for_each_member<T>([&](auto descriptor, const FieldDoc& doc) {
      using Member = std::remove_cvref_t<decltype(std::declval<T>().*descriptor.pointer)>;
      properties[doc.name] = documented_schema<Member>(components, doc);
      if (!is_omittable<Member>) required.emplace_back(doc.name);
    });
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
  }
};

}  // namespace coffer::api
