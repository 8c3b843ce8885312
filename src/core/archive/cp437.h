#pragma once

#include <string>
#include <string_view>

namespace coffer::core {

/// A text in the code page of DOS, which every byte is a character of, as UTF-8.
std::string utf8_of_cp437(std::string_view text);

}  // namespace coffer::core
