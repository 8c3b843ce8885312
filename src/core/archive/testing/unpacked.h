#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace coffer::core {

/// An entry of an archive, as another program reads it.
struct UnpackedEntry {
  bool is_directory = false;
  std::string content;
  Timestamp modified_at{};
};

/// All entries by their names. Throws where the archive is not whole, or holds a name twice.
std::map<std::string, UnpackedEntry> unpack(std::string_view archive);

}  // namespace coffer::core
