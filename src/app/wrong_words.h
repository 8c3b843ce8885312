#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

/// Error messages for mistyped words on the command line.
namespace coffer::app {

/// Returns the message for `word`, which is not a subcommand of `group`. The message suggests a
/// subcommand with a similar name, if there is one.
std::string no_such_command(const CLI::App& group, const std::string& word);

/// Returns the message for a command line on which a word is unknown where a subcommand must stand:
/// the word is a mistyped subcommand or option. Returns nullopt for any other command line.
std::optional<std::string> unknown_word_in(const CLI::App& program);

/// Returns the message for a parse error of the command line, as one line without a newline.
std::string why_refused(const CLI::App& program, const CLI::ParseError& error);

/// Makes the options of a command and of its subcommands refuse values that begin with `--`.
/// Without this, `--data --json` would use `--json` as the value of `--data`.
void refuse_options_as_values(CLI::App& command);

/// A check for CLI11: returns an error message if the value is no boolean, otherwise an empty text.
std::string check_true_or_false(const std::string& value);

/// A check for CLI11: returns an error message if the value is empty, otherwise an empty text.
std::string check_not_empty(const std::string& value);

}  // namespace coffer::app
