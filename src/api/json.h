#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#define RAPIDJSON_HAS_STDSTRING 1
#ifdef __SSE2__
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "api/described.h"
#include "base/clock.h"

namespace coffer::api {

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

/// Items that are turned into their JSON struct one by one while they are written, so that a folder
/// of 100,000 entries is not held twice.
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

template <IsWord E>
void write_json(JsonWriter& out, E value) {
  write_json(out, std::string_view(to_string(value)));
}

template <class T>
  requires is_described<T>
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

template <class T>
  requires is_described<T>
void write_json(JsonWriter& out, const T& value) {
  out.StartObject();
  boost::mp11::mp_for_each<MembersOf<T>>([&](auto descriptor) {
    const auto& member = value.*descriptor.pointer;
    if constexpr (is_omittable<std::remove_cvref_t<decltype(member)>>) {
      if (!member) return;
    }
    out.Key(descriptor.name,
            static_cast<rapidjson::SizeType>(std::string_view(descriptor.name).size()));
    if constexpr (is_omittable<std::remove_cvref_t<decltype(member)>>) {
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

/// `{"success":true,"data":…}`.
template <class T>
std::string success_json(const T& data) {
  rapidjson::StringBuffer buffer;
  JsonWriter out(buffer);
  out.StartObject();
  out.Key("success", 7);
  out.Bool(true);
  out.Key("data", 4);
  write_json(out, data);
  out.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize());
}

}  // namespace coffer::api
