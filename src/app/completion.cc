#include "app/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace coffer::app {
namespace {

/// What may stand where a command's next word does, options apart.
struct NextWord {
  std::string word;
  std::string help;
};

std::vector<NextWord> next_words(const CommandWords& command) {
  std::vector<NextWord> all;
  for (const CommandWords& below : command.commands) all.push_back({below.name(), below.help});
  for (const OptionWords& each : command.positionals) {
    for (const std::string& choice : each.choices) all.push_back({choice, each.help});
  }
  return all;
}

/// For any shell, between apostrophes.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += R"('\'')";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

/// fish knows two escapes between apostrophes, and no other way.
std::string quoted_for_fish(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// The cases of a shell's `case "$command $word" in` that lead from a command to the next.
std::string steps(const CommandWords& program) {
  std::string out;
  for (const CommandWords* command : all_commands(program)) {
    for (const CommandWords& below : command->commands) {
      std::vector<std::string> spellings = {shell_quoted(below.path)};
      for (const std::string& alias : below.aliases) {
        spellings.push_back(shell_quoted(command->path + ' ' + alias));
      }
      out += fmt::format("      {}) command={} ;;\n", fmt::join(spellings, " | "),
                         shell_quoted(below.path));
    }
  }
  return out;
}

/// What an option's value may be, for the cases that begin with a command and an option.
std::string value_cases(const CommandWords& program, std::string_view folders,
                        std::string_view files, std::string_view choices) {
  std::string out;
  for (const CommandWords* command : all_commands(program)) {
    for (const OptionWords& option : command->options) {
      if (option.value == ValueKind::none) continue;
      std::string action = "return";
      if (option.value == ValueKind::folder) action = fmt::format("{}; return", folders);
      if (option.value == ValueKind::file) action = fmt::format("{}; return", files);
      if (option.value == ValueKind::choice) {
        action = fmt::format(fmt::runtime(choices), fmt::join(option.choices, " ")) + "; return";
      }
      out +=
          fmt::format("    {}) {} ;;\n", shell_quoted(command->path + ' ' + option.name), action);
    }
  }
  return out;
}

std::string bash_words(const CommandWords& program) {
  std::string out;
  for (const CommandWords* command : all_commands(program)) {
    std::vector<std::string> words;
    for (const NextWord& next : next_words(*command)) words.push_back(next.word);
    for (const OptionWords& option : command->options) words.push_back(option.name);
    out += fmt::format("    {}) words={} ;;\n", shell_quoted(command->path),
                       shell_quoted(fmt::format("{}", fmt::join(words, " "))));
  }
  return out;
}

std::string bash_script(const CommandWords& program) {
  return fmt::format(
      R"(# bash completion of coffer: source it, or put it where bash-completion looks.
_coffer() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command=coffer word words=
  COMPREPLY=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD - 1}}"; do
    case "$command $word" in
{}    esac
  done
  case "$command $before" in
{}  esac
  case "$command" in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
_coffer_paths() {{
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
complete -F _coffer coffer
)",
      steps(program),
      value_cases(program, "_coffer_paths -d", "_coffer_paths -f",
                  R"(mapfile -t COMPREPLY < <(compgen -W '{}' -- "$current"))"),
      bash_words(program));
}

/// A word and its meaning, as zsh's `_describe` takes them.
std::string described(const std::string& name, const std::string& help) {
  std::string text = name + ':' + first_line(help);
  return shell_quoted(text);
}

std::string zsh_words(const CommandWords& program) {
  std::string out;
  for (const CommandWords* command : all_commands(program)) {
    std::vector<std::string> words;
    for (const NextWord& next : next_words(*command)) {
      words.push_back(described(next.word, next.help));
    }
    std::vector<std::string> options;
    for (const OptionWords& option : command->options) {
      options.push_back(described(option.name, option.help));
    }
    out += fmt::format("    {}) words_here=({}) options_here=({}) ;;\n",
                       shell_quoted(command->path), fmt::join(words, " "), fmt::join(options, " "));
  }
  return out;
}

std::string zsh_script(const CommandWords& program) {
  return fmt::format(
      R"(#compdef coffer
# zsh completion of coffer: put it into a folder of $fpath as _coffer.
_coffer() {{
  local command=coffer word before=${{words[CURRENT - 1]}}
  local -a words_here options_here
  for word in "${{(@)words[2,CURRENT - 1]}}"; do
    case "$command $word" in
{}    esac
  done
  case "$command $before" in
{}  esac
  case "$command" in
{}  esac
  (( $#words_here )) && _describe -t commands command words_here
  _describe -o -t options option options_here
}}
if [[ $funcstack[1] == _coffer ]]; then
  _coffer "$@"
else
  compdef _coffer coffer
fi
)",
      steps(program), value_cases(program, "_files -/", "_files", "compadd -- {}"),
      zsh_words(program));
}

std::string fish_value(const OptionWords& option) {
  switch (option.value) {
    case ValueKind::none:
      return "";
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::choice:
      return fmt::format(" -x -a {}",
                         quoted_for_fish(fmt::format("{}", fmt::join(option.choices, " "))));
    case ValueKind::text:
      break;
  }
  return " -x";
}

std::string fish_lines(const CommandWords& program) {
  std::string out;
  for (const CommandWords* command : all_commands(program)) {
    const std::string begin =
        fmt::format("complete -c coffer -n '__coffer_command_is \"{}\"'", command->path);
    for (const NextWord& next : next_words(*command)) {
      out += fmt::format("{} -f -a {} -d {}\n", begin, next.word,
                         quoted_for_fish(first_line(next.help)));
    }
    for (const OptionWords& option : command->options) {
      out += fmt::format("{} -l {} -d {}{}\n", begin, option.name.substr(2),
                         quoted_for_fish(first_line(option.help)), fish_value(option));
    }
  }
  return out;
}

/// fish names its cases otherwise than the other shells.
std::string fish_steps(const CommandWords& program) {
  std::string out;
  for (const CommandWords* command : all_commands(program)) {
    for (const CommandWords& below : command->commands) {
      std::string spellings = quoted_for_fish(below.path);
      for (const std::string& alias : below.aliases) {
        spellings += ' ' + quoted_for_fish(command->path + ' ' + alias);
      }
      out += fmt::format("            case {}\n                set command {}\n", spellings,
                         quoted_for_fish(below.path));
    }
  }
  return out;
}

std::string fish_script(const CommandWords& program) {
  return fmt::format(
      R"(# fish completion of coffer: put it into ~/.config/fish/completions as coffer.fish.
function __coffer_command_is
    set -l command coffer
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
{}        end
    end
    test "$command" = "$argv[1]"
end
complete -c coffer -f
{})",
      fish_steps(program), fish_lines(program));
}

}  // namespace

std::optional<Shell> shell_from(std::string_view name) {
  if (name == "bash") return Shell::bash;
  if (name == "zsh") return Shell::zsh;
  if (name == "fish") return Shell::fish;
  return std::nullopt;
}

std::string completion_for(Shell shell, const CommandWords& program) {
  switch (shell) {
    case Shell::bash:
      return bash_script(program);
    case Shell::zsh:
      return zsh_script(program);
    case Shell::fish:
      return fish_script(program);
  }
  std::unreachable();
}

}  // namespace coffer::app
