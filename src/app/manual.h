#pragma once

#include <string>
#include <string_view>

#include "app/command_tree.h"

namespace coffer::app {

/// Returns the program's manual page in the man macros of roff (groff_man(7)). `settings` is the
/// text that `serve --help` shows about the settings.
std::string manual_page(const CommandWords& program, std::string_view settings,
                        std::string_view version);

}  // namespace coffer::app
