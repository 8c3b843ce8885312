#include "app/completion.h"

#include <algorithm>
#include <utility>

namespace coffer::app {
namespace {

constexpr std::string_view kBash =
    R"sh(# bash completion of coffer: source it, or put it where bash-completion looks.
_coffer() {
  local current=${COMP_WORDS[COMP_CWORD]} words
  words=$("${COMP_WORDS[0]/#\~/$HOME}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $words in
    :folders) set -- -d; compopt -o filenames 2>/dev/null ;;
    :files) set -- -f; compopt -o filenames 2>/dev/null ;;
    *) set -- -W "$(cut -f1 <<<"$words")" ;;
  esac
  mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
}
complete -F _coffer coffer
)sh";

constexpr std::string_view kZsh =
    R"sh(#compdef coffer
# zsh completion of coffer: put it into a folder of $fpath as _coffer.
_coffer() {
  local each lines
  local -a described
  lines="$(${~words[1]} --complete "${(@)words[2,CURRENT]}" 2>/dev/null)"
  case $lines in
    '') ;;
    :folders) _files -/ ;;
    :files) _files ;;
    *)
      for each in "${(@f)lines}"; do described+=("${each%%$'\t'*}:${each#*$'\t'}"); done
      _describe -t commands command described ;;
  esac
}
if [[ $funcstack[1] == _coffer ]]; then
  _coffer "$@"
else
  compdef _coffer coffer
fi
)sh";

constexpr std::string_view kFish =
    R"sh(# fish completion of coffer: put it into ~/.config/fish/completions as coffer.fish.
function __coffer_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l lines ($program --complete $words "$(commandline -ct)" 2>/dev/null)
    switch "$lines[1]"
        case :folders
            __fish_complete_directories (commandline -ct)
        case :files
            __fish_complete_path (commandline -ct)
        case '*'
            printf '%s\n' $lines
    end
end
complete -c coffer -f -a '(__coffer_complete)'
)sh";

const CommandWords* command_below(const CommandWords& command, const std::string& word) {
  const auto found = std::ranges::find_if(command.commands, [&](const CommandWords& below) {
    return below.name() == word || std::ranges::count(below.aliases, word) > 0;
  });
  return found == command.commands.end() ? nullptr : &*found;
}

/// Collects the lines of words that begin as what was typed.
class Lines {
 public:
  explicit Lines(std::string_view typed) : typed_(typed) {}

  void add(const std::string& word, std::string_view help = {}) {
    if (!word.starts_with(typed_)) return;
    text_ += word;
    if (!help.empty()) text_.append("\t").append(help.substr(0, help.find('\n')));
    text_ += '\n';
  }
  std::string take() && { return std::move(text_); }

 private:
  std::string_view typed_;
  std::string text_;
};

std::string values_of(const OptionWords& option, std::string_view typed) {
  if (option.value == ValueKind::folder) return ":folders\n";
  if (option.value == ValueKind::file) return ":files\n";
  Lines lines(typed);
  for (const std::string& choice : option.choices) lines.add(choice);
  return std::move(lines).take();
}

}  // namespace

std::string_view completion_script(Shell shell) {
  switch (shell) {
    case Shell::bash:
      return kBash;
    case Shell::zsh:
      return kZsh;
    case Shell::fish:
      return kFish;
  }
  std::unreachable();
}

std::string completions_of(const CommandWords& program, std::span<const std::string> words) {
  const std::string typed = words.empty() ? "" : words.back();
  const CommandWords* command = &program;
  std::string_view before;
  for (const std::string& word : words.first(words.empty() ? 0 : words.size() - 1)) {
    if (const auto* below = command_below(*command, word)) command = below;
    before = word;
  }
  const auto option = std::ranges::find(command->options, before, &OptionWords::name);
  if (option != command->options.end() && option->value != ValueKind::none) {
    return values_of(*option, typed);
  }
  Lines lines(typed);
  for (const CommandWords& below : command->commands) lines.add(below.name(), below.help);
  for (const OptionWords& each : command->positionals) {
    for (const std::string& choice : each.choices) lines.add(choice, each.help);
  }
  for (const OptionWords& each : command->options) lines.add(each.name, each.help);
  return std::move(lines).take();
}

}  // namespace coffer::app
