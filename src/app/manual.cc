#include "app/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coffer::app {
namespace {

/// A text as it is, whatever roff would make of it: no line of it is a request, and hyphens are
/// those that one types.
std::string literal(std::string_view text) {
  std::string out;
  bool at_begin = true;
  for (const char c : text) {
    if (at_begin && (c == '.' || c == '\'')) out += "\\&";
    at_begin = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else {
      out += c;
    }
  }
  return out;
}

bool has_many_choices(const OptionWords& option) {
  return option.value == ValueKind::choice && option.choices.size() > 8;
}

std::string value_of(const OptionWords& option) {
  if (option.value == ValueKind::none) return "";
  if (option.value != ValueKind::choice) {
    return fmt::format(" \\fI{}\\fR", literal(option.value_name));
  }
  if (has_many_choices(option)) return " \\fIWORD\\fR";
  return fmt::format(" {}", literal(fmt::format("{}", fmt::join(option.choices, "|"))));
}

/// More than fit into a line.
std::string choices_of(const OptionWords& option) {
  if (!has_many_choices(option)) return "";
  return fmt::format(": one of {}", literal(fmt::format("{}", fmt::join(option.choices, ", "))));
}

std::string paragraph(const OptionWords& option, std::string_view font) {
  return fmt::format(".TP\n\\f{}{}\\fR{}\n{}{}{}\n", font, literal(option.name), value_of(option),
                     literal(option.help), choices_of(option),
                     option.is_required ? " (required)" : "");
}

std::string synopsis(const CommandWords& command) {
  std::string out = fmt::format("\\fB{}\\fR", literal(command.path));
  for (const OptionWords& option : command.options) {
    if (option.is_required) {
      out += fmt::format(" \\fB{}\\fR{}", literal(option.name), value_of(option));
    }
  }
  if (!command.options.empty()) out += " [\\fIOPTIONS\\fR]";
  for (const OptionWords& each : command.positionals) {
    const std::string name = fmt::format("\\fI{}\\fR", literal(each.name));
    out += each.is_required ? ' ' + name : " [" + name + ']';
  }
  return out;
}

std::string section(const CommandWords& command) {
  std::string out = fmt::format(".SS \"{}\"\n{}\n.PP\n{}\n", literal(command.path),
                                literal(command.help), synopsis(command));
  for (const OptionWords& option : command.positionals) {
    OptionWords plain = option;
    plain.value = ValueKind::none;
    out += paragraph(plain, "I");
  }
  for (const OptionWords& option : command.options) out += paragraph(option, "B");
  return out;
}

}  // namespace

std::string manual_page(const CommandWords& program, std::string_view settings,
                        std::string_view version) {
  std::string out = fmt::format(
      ".TH COFFER 1 \"\" \"{}\" \"User Commands\"\n"
      ".SH NAME\ncoffer \\- a self\\-hosted file manager served over HTTP\n"
      ".SH SYNOPSIS\n\\fBcoffer\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH COMMANDS\n",
      literal(version));
  for (const CommandWords* command : all_commands(program)) {
    if (command->commands.empty()) out += section(*command);
  }
  out += fmt::format(".SH SETTINGS\n.nf\n{}\n.fi\n", literal(settings));
  out +=
      ".SH EXIT STATUS\n0 if all went well, 2 for a command line that is wrong, 1 for any other "
      "failure, which one line on standard error tells.\n";
  return out;
}

}  // namespace coffer::app
