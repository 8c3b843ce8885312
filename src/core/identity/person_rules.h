#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "catalog/accounts.h"
#include "core/identity/identity_provider.h"

namespace coffer::core {

/// The quota of a group's members. The group `*` is everyone who is in no other group with a quota.
struct GroupQuota {
  std::string group;
  std::uint64_t bytes = 0;  ///< 0: unlimited.

  bool operator==(const GroupQuota&) const = default;
};

/// Parses `staff=100GiB`; see parse_size. nullopt for any other text.
std::optional<GroupQuota> parse_group_quota(std::string_view text);

/// What follows from the groups that a provider names.
struct PersonRules {
  std::vector<std::string> allowed_groups = {};  ///< Empty: everyone may sign in.
  std::vector<std::string> admin_groups = {};    ///< Empty: no role follows.
  std::vector<GroupQuota> group_quotas = {};
};

/// `forbidden` if the person may not sign in: groups are needed, and the person is in none of them
/// or the provider says nothing of groups.
Result<void> check_is_allowed(const PersonRules& rules, const ProvidedPerson& person);

/// Returns the rights that the provider's words give the person. What the provider says nothing of
/// is absent: without groups, no role and no quota of a group. The provider's own quota goes before
/// that of groups, of which the largest counts.
catalog::ClaimedRights rights_of(const PersonRules& rules, const ProvidedPerson& person);

/// Returns a name for the person's account (see AccountService::add): the provider's name in lower
/// case and without accents, up to an `@`, and `-` for each other character; `user` if nothing is
/// left. `number` above 1 is put after it, for names that are taken.
std::string account_name_of(const ProvidedPerson& person, unsigned number);

/// Returns a name for display that AccountService::add accepts; nullopt if the person has none.
std::optional<std::string> display_name_of(const ProvidedPerson& person);

}  // namespace coffer::core
