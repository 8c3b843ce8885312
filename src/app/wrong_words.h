#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

/// Messages about wrong words on the command line.
namespace coffer::app {

/// Returns the message that `group` has no command `word`, with a similar command if there is one.
std::string no_such_command(const CLI::App& group, const std::string& word);

/// Returns the message for an unknown command or option after the name of a group of commands;
/// nullopt if the command line has no such word.
std::optional<std::string> unknown_word_in(const CLI::App& program);

/// Returns why the command line was refused, as one line without a newline.
std::string why_refused(const CLI::App& program, const CLI::ParseError& error);

/// Makes the options of a command and its subcommands refuse values that begin with `--`. Otherwise
/// the next option would become the value where the value was forgotten.
void refuse_options_as_values(CLI::App& command);

/// A check for CLI11: returns an error unless the value is true or false.
std::string check_true_or_false(const std::string& value);

/// A check for CLI11: returns an error if the path is empty.
std::string check_not_empty(const std::string& value);

}  // namespace coffer::app
