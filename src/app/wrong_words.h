#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

/// Messages about words on the command line that were not understood.
namespace coffer::app {

/// That `group` has no command of that name, and which one may be meant.
std::string no_such_command(const CLI::App& group, const std::string& word);

/// The same, or of an option, if the line ends in a group of commands with a word that it does not
/// have.
std::optional<std::string> unknown_word_in(const CLI::App& program);

/// Why the line was refused, as one line without its end.
std::string why_refused(const CLI::App& program, const CLI::ParseError& error);

/// A value that was forgotten does not take the next option's name in its place.
void refuse_options_as_values(CLI::App& command);

/// For an option's check: empty, or why this is no truth value.
std::string check_true_or_false(const std::string& value);

/// For an option's check: empty, or that a path is missing.
std::string check_not_empty(const std::string& value);

}  // namespace coffer::app
