#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.h"
#include "app/completion.h"
#include "app/manual.h"
#include "app/output.h"
#include "app/settings.h"
#include "app/version.h"
#include "app/wrong_words.h"
#include "base/text.h"

namespace coffer::app {
namespace {

constexpr int kWrongUsage = 2;

void print_text(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  print(text);
}

int finish_parsing(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() != 0) {
    complain(why_refused(program, error) + " (--help shows what there is)");
    return kWrongUsage;
  }
  if (const auto unknown = unknown_word_in(program)) {
    complain(*unknown + " (--help shows what there is)");
    return kWrongUsage;
  }
  const bool is_version = dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr;
  print_text(is_version ? error.what() : program.help());
  return 0;
}

int run_chosen(const Action& chosen) {
  start_log(LogLevel::error);
  try {
    return chosen();
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

int show_help(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* command = &program;
  std::string name = program.get_name();
  for (const std::string& word : words) {
    try {
      command = command->get_subcommand(word);
    } catch (const CLI::OptionNotFound&) {
      complain(no_such_command(*command, word) + " (--help shows what there is)");
      return kWrongUsage;
    }
    name += ' ' + command->get_name();
  }
  auto text = program.get_formatter()->make_help(command, name, CLI::AppFormatMode::Normal);
  print_text(std::move(text));
  return 0;
}

void add_help_command(CLI::App& program, Action& chosen) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = program.add_subcommand("help", "Print the help of a command");
  command->add_option("COMMAND", *words, "As account, or account add");
  command->callback([&program, &chosen, words] {
    chosen = [&program, words] { return show_help(program, *words); };
  });
}

void add_completion_command(CLI::App& program, Action& chosen) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand(
      "completion", "Print a script by which a shell completes commands: its first line says how");
  command->add_option("SHELL", *name, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&chosen, name] {
    chosen = [name] {
      print_text(std::string(completion_script(enum_from<Shell>(*name).value())));
      return 0;
    };
  });
}

void add_manual_command(CLI::App& program, Action& chosen) {
  CLI::App* command = program.add_subcommand(
      "manual", "Print the manual page: `coffer manual | man -l -` shows it");
  command->callback([&program, &chosen] {
    chosen = [&program] {
      print_text(manual_page(words_of(program), settings_help(), kVersion));
      return 0;
    };
  });
}

/// Short names, as shells have them.
void add_aliases(CLI::App& command) {
  for (CLI::App* each : command.get_subcommands({})) {
    if (each->get_name() == "list") each->alias("ls");
    if (each->get_name() == "remove" || each->get_name() == "revoke") each->alias("rm");
    add_aliases(*each);
  }
}

bool asks_for_json(int argc, char** argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    if (std::string_view(argv[i]) == "--json") return true;
  }
  return false;
}

/// The first argument that is not UTF-8; null if all are.
const char* unreadable_argument(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (!is_utf8(argv[i])) return argv[i];
  }
  return nullptr;
}

int parse_and_run(int argc, char** argv) {
  CLI::App program("Coffer: a self-hosted file manager served over HTTP", "coffer");
  program.require_subcommand(1);
  program.footer("`coffer serve --help` lists all settings and variables of the environment.");
  program.set_version_flag("--version", std::string(kVersion), "Print the version");
  Action chosen;
  add_serve_command(program, chosen);
  add_account_commands(program, chosen);
  add_home_commands(program, chosen);
  add_key_commands(program, chosen);
  add_session_commands(program, chosen);
  add_sign_in_commands(program, chosen);
  add_task_commands(program, chosen);
  add_share_commands(program, chosen);
  add_group_commands(program, chosen);
  add_connector_commands(program, chosen);
  add_check_command(program, chosen);
  add_backup_commands(program, chosen);
  add_health_command(program, chosen);
  program.add_subcommand("version", "Print the version")->callback([&chosen] {
    chosen = [] {
      print(kVersion);
      return 0;
    };
  });
  add_completion_command(program, chosen);
  add_manual_command(program, chosen);
  add_help_command(program, chosen);
  add_aliases(program);
  refuse_options_as_values(program);
  if (argc > 1 && std::string_view(argv[1]) == "--complete") {  // A completion script asks.
    print_text(completions_of(words_of(program), std::vector<std::string>(argv + 2, argv + argc)));
    return 0;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return finish_parsing(program, error);
  }
  return run_chosen(chosen);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  if (asks_for_json(argc, argv)) print_errors_as_json();
  if (const char* const argument = unreadable_argument(argc, argv)) {
    complain(fmt::format("An argument is not UTF-8: {}", printable(argument)));
    return kWrongUsage;
  }
  const int status = parse_and_run(argc, argv);
  const auto written = flush_output();
  if (written) return status;
  const int failed = complain(written.error());
  return status != 0 ? status : failed;
}

}  // namespace coffer::app
