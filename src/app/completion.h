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

/// Returns the shell's completion script, which gets completions by `coffer --complete WORDS...`.
std::string_view completion_script(Shell shell);

/// Returns the completions of the last word of a command line. `words` lacks the program's name. A
/// completion is a line: the word and, if it has a help text, a tab and this text. If the word
/// must be a path, the only line is `:files` or `:folders`, and the script completes the path.
std::string completions_of(const CommandWords& program, std::span<const std::string> words);

}  // namespace coffer::app
