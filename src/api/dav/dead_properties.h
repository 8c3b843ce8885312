#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/dav/xml.h"

namespace coffer::api::dav {

/// A property that a client has set and that means nothing to the server (RFC 4918, section 4.2).
struct DeadProperty {
  XmlName name;
  std::string xml;  ///< The element with its value, as text_of returns it.

  bool operator==(const DeadProperty&) const = default;
};

using DeadProperties = std::vector<DeadProperty>;

/// Reads the text that is stored with an item (see storage::Backend::set_properties). What other
/// programs may have put there is left out if it is not understood.
DeadProperties read_properties(std::string_view stored);
/// Returns the text that read_properties reads; empty for none.
std::string store_properties(const DeadProperties& all);

/// Returns the property of this name; null if there is none.
const DeadProperty* find_property(const DeadProperties& all, const XmlName& name);
void set_property(DeadProperties& all, DeadProperty property);
void remove_property(DeadProperties& all, const XmlName& name);

}  // namespace coffer::api::dav
