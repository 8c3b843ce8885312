#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/command_tree.h"
#include "base/enum_words.h"

namespace coffer::app {

enum class Shell : std::uint8_t { bash, zsh, fish };
constexpr auto words_of(Shell) {
  return enum_words<Shell>({{Shell::bash, "bash"}, {Shell::zsh, "zsh"}, {Shell::fish, "fish"}});
}

/// A script by which the shell completes commands: it asks the program, by `--complete`.
std::string_view completion_script(Shell shell);

/// The completions of the last of `words`, which follow the program's name. Each is a line: the
/// word, and where there is one a tab and its help; or `:files` or `:folders` alone, where a path
/// is expected.
std::string completions_of(const CommandWords& program, std::span<const std::string> words);

}  // namespace coffer::app
