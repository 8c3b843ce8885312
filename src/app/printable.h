#pragma once

#include <string>
#include <string_view>

namespace coffer::app {

/// A text with what a terminal could not show spelled out, as `\xff`: always UTF-8 of one line.
std::string printable(std::string_view text);

}  // namespace coffer::app
