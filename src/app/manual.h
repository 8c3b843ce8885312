#pragma once

#include <string>
#include <string_view>

#include "app/command_tree.h"

namespace coffer::app {

/// Returns the program's manual page in the markup of groff_man(7). `settings` is the list of
/// settings, as `serve --help` prints it.
std::string manual_page(const CommandWords& program, std::string_view settings,
                        std::string_view version);

}  // namespace coffer::app
