#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

/// Messages about wrong words on the command line.
namespace coffer::app {

/// Says that `group` has no command of that name, and suggests a similar one.
std::string no_such_command(const CLI::App& group, const std::string& word);

/// The same, or the message for an unknown option, if the line ends in a group of commands with a
/// word that the group does not have; nullopt otherwise.
std::optional<std::string> unknown_word_in(const CLI::App& program);

/// Says why the command line was refused, in one line without a newline.
std::string why_refused(const CLI::App& program, const CLI::ParseError& error);

/// Makes an option refuse another option's name as its value, for lines with a forgotten value.
void refuse_options_as_values(CLI::App& command);

/// A check for CLI11: returns an error unless the value is true or false.
std::string check_true_or_false(const std::string& value);

/// A check for CLI11: returns an error if the path is empty.
std::string check_not_empty(const std::string& value);

}  // namespace coffer::app
