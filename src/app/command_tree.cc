#include "app/command_tree.h"

#include <CLI/CLI.hpp>
#include <ranges>
#include <string_view>

namespace coffer::app {
namespace {

/// `TEXT:{a,b}` is how the parser shows one of a few words.
std::vector<std::string> choices_in(std::string_view type) {
  std::vector<std::string> choices;
  const auto begin = type.find('{');
  if (begin == std::string_view::npos || !type.ends_with('}')) return choices;
  const std::string_view list = type.substr(begin + 1, type.size() - begin - 2);
  for (const auto part : list | std::views::split(',')) {
    choices.emplace_back(part.begin(), part.end());
  }
  return choices;
}

ValueKind kind_of(const CLI::Option& option, const OptionWords& words) {
  if (option.get_items_expected_max() == 0) return ValueKind::none;
  if (!words.choices.empty()) return ValueKind::choice;
  if (words.value_name == "DIR") return ValueKind::folder;
  return words.value_name == "FILE" ? ValueKind::file : ValueKind::text;
}

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  const std::string type = option.get_type_name();
  words.help = option.get_description();
  words.choices = choices_in(type);
  words.value_name = type.substr(0, type.find(':'));
  words.value = kind_of(option, words);
  words.is_required = option.get_required();
  words.name =
      option.get_positional() ? option.get_single_name() : "--" + option.get_lnames().front();
  return words;
}

std::string path_of(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent ? path_of(*parent) + ' ' + command.get_name() : command.get_name();
}

void collect(const CommandWords& command, std::vector<const CommandWords*>& all) {
  all.push_back(&command);
  for (const CommandWords& below : command.commands) collect(below, all);
}

}  // namespace

std::string CommandWords::name() const {
  return path.substr(path.rfind(' ') + 1);
}

CommandWords words_of(const CLI::App& command) {
  CommandWords words;
  words.path = path_of(command);
  words.aliases = command.get_aliases();
  words.help = command.get_description();
  for (const CLI::Option* option : command.get_options()) {
    auto& list = option->get_positional() ? words.positionals : words.options;
    list.push_back(words_of(*option));
  }
  const auto below = command.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* each : below) words.commands.push_back(words_of(*each));
  return words;
}

std::vector<const CommandWords*> all_commands(const CommandWords& top) {
  std::vector<const CommandWords*> all;
  collect(top, all);
  return all;
}

}  // namespace coffer::app
