#include "app/wrong_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "app/similar_word.h"

namespace coffer::app {
namespace {

const CLI::App& last_command(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + ' ' + command.get_name();
}

std::string suggestion(const std::string& word, const std::vector<std::string>& words) {
  const std::string near = similar_word(word, words);
  return near.empty() ? near : fmt::format("; did you mean {}?", near);
}

std::string suggested_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return suggestion(word.substr(0, word.find('=')), names);
}

std::string not_expected(const CLI::App& command, const std::vector<std::string>& words) {
  const auto option =
      std::ranges::find_if(words, [](const std::string& word) { return word.starts_with('-'); });
  return fmt::format("The following argument{} not expected: {}{}",
                     words.size() == 1 ? " was" : "s were", fmt::join(words, " "),
                     option == words.end() ? "" : suggested_option(command, *option));
}

}  // namespace

std::string no_such_command(const CLI::App& group, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : group.get_subcommands({})) names.push_back(command->get_name());
  return fmt::format("There is no command {} {}{}", full_name(group), word,
                     suggestion(word, names));
}

std::optional<std::string> unknown_word_in(const CLI::App& program) {
  const CLI::App& group = last_command(program);
  const auto unknown = program.remaining(true);
  if (unknown.empty() || group.get_require_subcommand_min() == 0) return std::nullopt;
  const std::string& word = unknown.front();
  if (!word.starts_with('-')) return no_such_command(group, word);
  return fmt::format("There is no option {}{}", word, suggested_option(group, word));
}

std::string why_refused(const CLI::App& program, const CLI::ParseError& error) {
  const bool is_unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (!is_unexpected && !is_missing) return error.what();
  if (auto unknown = unknown_word_in(program)) return *std::move(unknown);
  // The library lists what it did not expect backwards.
  const auto unexpected = program.remaining(true);
  return unexpected.empty() ? error.what() : not_expected(last_command(program), unexpected);
}

void refuse_options_as_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options({})) {
    if (option->get_positional() || option->get_items_expected_max() == 0) continue;
    option->check([](const std::string& value) {
      return value.starts_with("--") ? "the value is missing before " + value : std::string();
    });
  }
  for (CLI::App* each : command.get_subcommands({})) refuse_options_as_values(*each);
}

std::string check_true_or_false(const std::string& value) {
  try {
    CLI::detail::to_flag_value(value);
    return {};
  } catch (const std::invalid_argument&) {
    return fmt::format("must be true or false, not \"{}\"", value);
  }
}

std::string check_not_empty(const std::string& value) {
  return value.empty() ? "must not be empty" : "";
}

}  // namespace coffer::app
