#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace coffer::app {

enum class ValueKind : std::uint8_t { none, text, choice, file, folder };

/// The description of an option or of a positional argument.
struct OptionWords {
  std::string name;  ///< Such as `--data`; for a positional argument, such as `NAME`.
  std::string help;
  ValueKind value = ValueKind::none;
  std::string value_name;            ///< For example `DIR`.
  std::vector<std::string> choices;  ///< For ValueKind::choice.
  bool is_required = false;
};

/// The description of a command, for the completions and the manual page.
struct CommandWords {
  std::string path;                  ///< For example `coffer account add`.
  std::vector<std::string> aliases;  ///< Other names for the last word of `path`.
  std::string help;
  std::vector<OptionWords> options;
  std::vector<OptionWords> positionals;
  std::vector<CommandWords> commands;

  /// Returns the last word of the path.
  std::string name() const;
};

/// Returns the description of a command, with those of all its subcommands.
CommandWords words_of(const CLI::App& command);

/// Returns `top` and all its subcommands, each command before its own subcommands.
std::vector<const CommandWords*> all_commands(const CommandWords& top);

}  // namespace coffer::app
