#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace coffer::app {

/// What stands behind an option.
enum class ValueKind : std::uint8_t { none, text, choice, file, folder };

struct OptionWords {
  std::string name;  ///< With its dashes; of a positional its name in capitals.
  std::string help;
  ValueKind value = ValueKind::none;
  std::string value_name;            ///< As `DIR`.
  std::vector<std::string> choices;  ///< Of a choice.
  bool is_required = false;
};

/// A command as its parser knows it, for what describes the program elsewhere.
struct CommandWords {
  std::string path;                  ///< As `coffer account add`.
  std::vector<std::string> aliases;  ///< Other names of its last word.
  std::string help;
  std::vector<OptionWords> options;
  std::vector<OptionWords> positionals;
  std::vector<CommandWords> commands;

  /// The last word of the path.
  std::string name() const;
};

CommandWords words_of(const CLI::App& command);

/// The command and all below it, each before those below it.
std::vector<const CommandWords*> all_commands(const CommandWords& top);

}  // namespace coffer::app
