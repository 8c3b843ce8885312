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

/// Returns a completion script for the shell. The script runs the program with `--complete`.
std::string_view completion_script(Shell shell);

/// `words` are the words of a command line after the program's name. Returns the completions of the
/// last one. Each completion is a line: the word and, if it has a help text, a tab and this text.
/// If the last word must be a path, the only line is `:files` or `:folders`.
std::string completions_of(const CommandWords& program, std::span<const std::string> words);

}  // namespace coffer::app
