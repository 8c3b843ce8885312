#include "core/transfer/name_not_moved.h"

#include <string>

#include "base/random.h"
#include "base/text.h"

namespace coffer::core {

Name name_not_moved(std::string_view name) {
  constexpr std::size_t kMostBytes = 143;
  const std::string behind = " (not moved " + random_hex(4) + ")";
  const auto kept = cut_utf8(name, kMostBytes - behind.size());
  return Name::parse(std::string(kept) + behind).value();
}

}  // namespace coffer::core
