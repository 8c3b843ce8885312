#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "api/parameter_schema.h"
#include "api/schema.h"
#include "api/v2/body.h"
#include "api/v2/moment.h"

namespace coffer::api::v2 {

/// The JSON Schema of what `from_json` takes for a T, and of nothing else.
template <class T>
struct BodySchema {
  static boost::json::object make() { return ParameterSchema<T>::make(); }
};
template <>
struct BodySchema<bool> {
  static boost::json::object make() { return {{"type", "boolean"}}; }
};
template <>
struct BodySchema<std::uint64_t> {
  static boost::json::object make() {
    return {{"type", "integer"}, {"minimum", 0}, {"maximum", UINT64_MAX}};
  }
};
template <>
struct BodySchema<Password> {
  static boost::json::object make() {
    return {{"type", "string"}, {"maxLength", 1024}, {"x-maxBytes", 1024}, {"format", "password"}};
  }
};
template <>
struct BodySchema<Timestamp> {
  static boost::json::object make() {
    return {{"type", "string"}, {"pattern", std::string(kTimePattern) + R"((\.\d{1,8})?Z?$)"}};
  }
};
template <>
struct BodySchema<AnyObject> {
  static boost::json::object make() { return {{"type", "object"}, {"x-maxBytes", 16384}}; }
};
template <class T, std::size_t kMost>
struct BodySchema<ListOf<T, kMost>> {
  static boost::json::object make() {
    return {
        {"type", "array"}, {"minItems", 1}, {"maxItems", kMost}, {"items", BodySchema<T>::make()}};
  }
};
template <class T>
struct BodySchema<std::optional<T>> {
  static boost::json::object make() {
    boost::json::object schema = BodySchema<T>::make();
    if (auto* type = schema.if_contains("type")) {
      *type = boost::json::array{*type, "null"};
    }
    if (auto* words = schema.if_contains("enum")) words->as_array().push_back(nullptr);
    return schema;
  }
};

/// The schema of a body that is a described struct.
template <class B>
boost::json::object body_schema() {
  boost::json::object properties;
  boost::json::array required;
  for_each_member<B>([&](auto descriptor, const FieldDoc& doc) {
    using Member = std::remove_cvref_t<decltype(std::declval<B>().*descriptor.pointer)>;
    boost::json::object schema = BodySchema<Member>::make();
    schema["description"] = doc.text;
    schema["examples"] = boost::json::array{boost::json::parse(doc.example)};
    properties[doc.name] = std::move(schema);
    if (!is_optional_member<Member>) required.emplace_back(doc.name);
  });
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

}  // namespace coffer::api::v2
