#include "backends/rclone/providers/option_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "backends/rclone/engine/address_text.h"
#include "backends/rclone/providers/credential_json.h"
#include "base/text.h"

namespace coffer::rclone {
namespace {

constexpr std::size_t kMaxValueBytes = 64 * 1024;

bool is_json(OptionKind kind) {
  return kind == OptionKind::token || kind == OptionKind::service_account;
}

/// Lines may end within JSON, as people paste it.
bool has_forbidden_character(OptionKind kind, std::string_view value) {
  if (!is_utf8(value)) return true;
  if (!is_json(kind)) return has_control_character(value);
  std::string rest(value);
  std::erase_if(rest, [](char c) { return c == '\n' || c == '\r' || c == '\t'; });
  return has_control_character(rest);
}

std::string fault_of_choice(std::string_view choices, std::string_view value) {
  std::string list;
  for (const auto part : std::views::split(choices, '|')) {
    const std::string_view allowed(part.begin(), part.end());
    if (value == allowed) return {};
    list += fmt::format("{}{}", list.empty() ? "" : ", ", allowed);
  }
  return fmt::format("one of these values: {}.", list);
}

std::string fault_of_kind(const Option& option, std::string_view value) {
  switch (option.kind) {
    case OptionKind::text:
      return {};
    case OptionKind::choice:
      return fault_of_choice(option.choices, value);
    case OptionKind::label:
      return is_label(value) ? "" : "letters, digits and dashes alone.";
    case OptionKind::url:
      return is_url(value) ? "" : "as http:// or https:// and a host, without a user or spaces.";
    case OptionKind::endpoint:
      if (is_url(value) || is_host(value)) return {};
      return "as a host, or as http:// or https:// and a host, without a user or spaces.";
    case OptionKind::host:
      return is_host(value) ? "" : "as a host, perhaps with a colon and a port.";
    case OptionKind::token:
      return fault_of_token(value);
    case OptionKind::service_account:
      return fault_of_service_account(value);
  }
  return "differently: its kind is unknown.";
}

}  // namespace

std::string fault_of(const Option& option, std::string_view value) {
  if (value.empty()) return "a value, or leave it out.";
  if (value.size() > kMaxValueBytes) return "a value of at most 64 KiB.";
  if (has_forbidden_character(option.kind, value)) {
    return "in UTF-8 and in one line, without control characters.";
  }
  return fault_of_kind(option, value);
}

}  // namespace coffer::rclone
