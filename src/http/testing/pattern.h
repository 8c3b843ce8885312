#pragma once

#include <cstddef>
#include <string>

namespace coffer::http {

/// `size` bytes, the same each time.
inline std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>((i * 31 + i / 251) & 0xFF);
  return text;
}

}  // namespace coffer::http
