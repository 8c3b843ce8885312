#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace coffer::fuzz {

/// Ends the program, which the fuzzer reports with the input, unless `holds`.
inline void check(bool holds) {
  if (!holds) std::abort();
}

inline std::string_view to_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace coffer::fuzz
