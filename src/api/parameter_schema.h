#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "api/parameters.h"
#include "base/path.h"

namespace coffer::api {

/// The JSON Schema (2020-12) of what `parse_value` takes for a T, and of nothing else. Patterns use
/// what every engine of regular expressions knows. Two keywords are our own, since JSON Schema
/// counts characters: `x-maxBytes`, and for what stands between slashes `x-maxComponentBytes`, or
/// `x-maxNameBytes` for the last of it.
template <class T>
struct ParameterSchema;

template <>
struct ParameterSchema<std::string> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<Path> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<ItemPath> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<SourcePath> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<FolderPathToMake> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<NewName> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<KeyLabel> {
  static boost::json::object make();
};
template <IsWord E>
struct ParameterSchema<E> {
  static boost::json::object make() {
    boost::json::array words;
    for (const E value : Words<E>::all) words.emplace_back(to_string(value));
    return {{"type", "string"}, {"enum", std::move(words)}};
  }
};
template <class T>
struct ParameterSchema<std::optional<T>> : ParameterSchema<T> {};
template <class T>
struct ParameterSchema<Repeated<T>> {
  static boost::json::object make() {
    return {{"type", "array"},
            {"items", ParameterSchema<T>::make()},
            {"minItems", 1},
            {"maxItems", Repeated<T>::kMost}};
  }
};
template <class T, std::size_t most>
struct ParameterSchema<UpTo<T, most>> {
  static boost::json::object make() {
    return {{"type", "array"}, {"items", ParameterSchema<T>::make()}, {"maxItems", most}};
  }
};
template <class T>
struct ParameterSchema<NonEmpty<T>> {
  static boost::json::object make() {
    boost::json::object schema = ParameterSchema<T>::make();
    schema["minLength"] = 1;
    return schema;
  }
};

}  // namespace coffer::api
