#include "api/dav/dead_properties.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "http/syntax.h"

namespace coffer::api::dav {
namespace {

// Three texts for each property, each ended by a NUL, which no XML holds.
constexpr char kEnd = '\0';

/// Checks what is going to stand in answers: another program may have changed the attribute.
bool is_element(const DeadProperty& property) {
  if (!is_utf8(property.xml)) return false;
  XmlParser parser({.bytes = 64 * 1024});
  if (!parser.add(property.xml)) return false;
  const auto element = parser.finish();
  return element && element->name == property.name;
}

}  // namespace

DeadProperties read_properties(std::string_view stored) {
  DeadProperties all;
  while (!stored.empty()) {
    DeadProperty one;
    one.name.space = http::cut_front(stored, kEnd);
    one.name.local = http::cut_front(stored, kEnd);
    one.xml = http::cut_front(stored, kEnd);
    if (is_element(one)) all.push_back(std::move(one));
  }
  return all;
}

std::string store_properties(const DeadProperties& all) {
  std::string text;
  for (const DeadProperty& one : all) {
    for (const std::string* part : {&one.name.space, &one.name.local, &one.xml}) {
      text += *part;
      text += kEnd;
    }
  }
  return text;
}

const DeadProperty* find_property(const DeadProperties& all, const XmlName& name) {
  const auto found = std::ranges::find(all, name, &DeadProperty::name);
  return found == all.end() ? nullptr : &*found;
}

void set_property(DeadProperties& all, DeadProperty property) {
  remove_property(all, property.name);
  all.push_back(std::move(property));
}

void remove_property(DeadProperties& all, const XmlName& name) {
  std::erase_if(all, [&](const DeadProperty& one) { return one.name == name; });
}

}  // namespace coffer::api::dav
