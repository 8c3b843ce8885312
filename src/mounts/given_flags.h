#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "core/connectors/connector_settings.h"

namespace coffer::mounts {

// How stored settings tell what administrators have set. Earlier versions have no such members, and
// settings without it stay the same text.

inline void read_given(const boost::json::object& object, core::ConnectorSettings& settings) {
  const auto is_set = [&](std::string_view name) {
    const auto* const member = object.if_contains(name);
    return member != nullptr && member->as_bool();
  };
  settings.is_given = is_set("given");
  settings.is_set_read_only = is_set("setReadOnly");
}

inline void add_given(const core::ConnectorSettings& settings, boost::json::object& object) {
  if (settings.is_given) object["given"] = true;
  if (settings.is_set_read_only) object["setReadOnly"] = true;
}

}  // namespace coffer::mounts
