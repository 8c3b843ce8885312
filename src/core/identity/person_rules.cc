#include "core/identity/person_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/folding.h"
#include "base/size_format.h"
#include "base/text.h"

namespace coffer::core {
namespace {

constexpr std::size_t kLongestAccountName = 64;
constexpr std::size_t kMostDisplayCharacters = 100;
constexpr std::string_view kEveryone = "*";

bool is_in_one_of(const std::vector<std::string>& wanted, const std::vector<std::string>& groups) {
  return std::ranges::any_of(
      wanted, [&](const std::string& group) { return std::ranges::count(groups, group) > 0; });
}

/// Returns true if the first quota is larger; 0 is unlimited.
bool is_larger(std::uint64_t one, std::uint64_t other) {
  return other != 0 && (one == 0 || one > other);
}

std::optional<std::uint64_t> quota_of_groups(const std::vector<GroupQuota>& quotas,
                                             const std::vector<std::string>& groups) {
  std::optional<std::uint64_t> largest;
  std::optional<std::uint64_t> of_everyone;
  for (const GroupQuota& quota : quotas) {
    if (quota.group == kEveryone) of_everyone = quota.bytes;
    if (std::ranges::count(groups, quota.group) == 0) continue;
    if (!largest || is_larger(quota.bytes, *largest)) largest = quota.bytes;
  }
  return largest ? largest : of_everyone;
}

bool is_ascii_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// Returns the name in the characters of accounts' names; empty if none of them is in it.
std::string in_account_characters(std::string_view name) {
  std::string folded;
  fold(name.substr(0, name.find('@')), folded);
  std::string plain;
  for (const char c : folded) {
    // The later bytes of a character that is not ASCII say nothing.
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    const bool stays = is_ascii_letter_or_digit(c) || c == '.' || c == '_';
    plain += stays ? c : '-';
  }
  const auto first = std::ranges::find_if(plain, is_ascii_letter_or_digit);
  plain.erase(plain.begin(), first);
  return plain;
}

}  // namespace

std::optional<GroupQuota> parse_group_quota(std::string_view text) {
  const auto sign = text.rfind('=');
  if (sign == text.npos || sign == 0) return std::nullopt;
  const auto bytes = parse_size(text.substr(sign + 1));
  if (!bytes) return std::nullopt;
  return GroupQuota{std::string(text.substr(0, sign)), *bytes};
}

Result<void> check_is_allowed(const PersonRules& rules, const ProvidedPerson& person) {
  if (rules.allowed_groups.empty()) return {};
  if (!person.groups) {
    return fail(ErrorCode::forbidden,
                "Only members of certain groups may sign in, and nothing is said of groups.");
  }
  if (is_in_one_of(rules.allowed_groups, *person.groups)) return {};
  return fail(ErrorCode::forbidden, "Only members of certain groups may sign in.");
}

catalog::ClaimedRights rights_of(const PersonRules& rules, const ProvidedPerson& person) {
  catalog::ClaimedRights rights;
  if (person.groups && !rules.admin_groups.empty()) {
    const bool is_admin = is_in_one_of(rules.admin_groups, *person.groups);
    rights.role = is_admin ? catalog::Role::admin : catalog::Role::user;
  }
  if (person.groups) rights.quota_bytes = quota_of_groups(rules.group_quotas, *person.groups);
  if (person.quota_bytes) rights.quota_bytes = person.quota_bytes;
  return rights;
}

std::string account_name_of(const ProvidedPerson& person, unsigned number) {
  std::string name = in_account_characters(person.name);
  if (name.empty()) name = "user";
  const std::string end = number > 1 ? fmt::format("{}", number) : std::string();
  name.resize(std::min(name.size(), kLongestAccountName - end.size()));
  return name + end;
}

std::optional<std::string> display_name_of(const ProvidedPerson& person) {
  std::string name = person.display_name.empty() ? person.name : person.display_name;
  if (!is_utf8(name) || has_control_character(name)) return std::nullopt;
  while (count_characters(name) > kMostDisplayCharacters) {
    name = cut_utf8(name, name.size() - 1);
  }
  return name.empty() ? std::nullopt : std::optional(name);
}

}  // namespace coffer::core
