#pragma once

#include <string>

#include "base/random.h"

namespace coffer::local {

/// A name that nothing in a staging folder has.
inline std::string new_staging_name() {
  return random_hex(16);
}

}  // namespace coffer::local
