#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace coffer::app {

/// The kind of value that an option takes.
enum class ValueKind : std::uint8_t { none, text, choice, file, folder };

struct OptionWords {
  std::string name;  ///< With dashes; in capitals for a positional.
  std::string help;
  ValueKind value = ValueKind::none;
  std::string value_name;            ///< For example `DIR`.
  std::vector<std::string> choices;  ///< For ValueKind::choice.
  bool is_required = false;
};

/// The description of a command, for the completions and the manual page.
struct CommandWords {
  std::string path;                  ///< For example `coffer account add`.
  std::vector<std::string> aliases;  ///< Other names of its last word.
  std::string help;
  std::vector<OptionWords> options;
  std::vector<OptionWords> positionals;
  std::vector<CommandWords> commands;

  /// The last word of the path.
  std::string name() const;
};

/// Describes a parser's command and all below it.
CommandWords words_of(const CLI::App& command);

/// Returns the command and all commands below it, each before its own subcommands.
std::vector<const CommandWords*> all_commands(const CommandWords& top);

}  // namespace coffer::app
