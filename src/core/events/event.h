#pragma once

#include <cstdint>
#include <string>

namespace coffer::core {

/// Something that changed, about which its reader asks again.
struct Event {
  enum class Kind : std::uint8_t {
    task,     ///< The subject is its id.
    folder,   ///< The subject is its path, as it was asked for.
    account,  ///< What it is called, may use and uses, or which places it has.
    resync,   ///< Anything may have changed.
  };
  Kind kind = Kind::resync;
  std::string subject = {};
  std::uint64_t number = 0;  ///< Among those of its feed, which are numbered as they go out.

  bool operator==(const Event&) const = default;
};

}  // namespace coffer::core
