#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/credential.h"
#include "catalog/turn.h"

namespace coffer::catalog {

class Database;

/// A group of accounts, which items can be shared with.
struct Group {
  std::string id;
  std::string name;  ///< Unique.
  std::string description;
  /// The quota of accounts that are made as members; 0: unlimited, absent: the group gives none.
  std::optional<std::uint64_t> default_quota_bytes;
  bool from_provider = false;  ///< True if a provider of sign-in says who is a member.
  Timestamp created_at{};
};

struct GroupWithMembers {
  Group group;
  std::vector<std::string> members;  ///< The accounts' names, sorted.
};

/// A change of a group, or a new one. Absent fields do not change.
struct GroupChange {
  std::optional<std::string> name;
  std::optional<std::string> description;
  /// Present and empty: the group gives no quota.
  std::optional<std::optional<std::uint64_t>> default_quota_bytes;
  std::optional<bool> from_provider;
  std::optional<std::vector<std::string>> members;  ///< The accounts' names; the new list.
  std::vector<std::string> added_members = {};      ///< Added to the new or present list.
  std::vector<std::string> removed_members = {};    ///< Removed after the additions.
  std::optional<Asker> asker = {};
};

/// The groups in the catalog. Safe from any thread. Changes take effect with the next request, in
/// every process that uses the catalog.
class Groups {
 public:
  explicit Groups(Database& database) : database_(database) {}

  /// Adds a group, which needs a name. Errors:
  /// - `exists` if the name is taken
  /// - `not_found` if an account is unknown
  /// - `rate_limited` if there are kMostGroups, or more than kMostMembers would be in the group
  Task<Result<GroupWithMembers>> create(GroupChange wanted);
  /// Returns all groups, sorted by name, with their members.
  Task<Result<std::vector<GroupWithMembers>>> list();
  /// Returns a group; `not_found` for an unknown id.
  Task<Result<GroupWithMembers>> find(std::string id);
  /// Changes a group. `not_found` for an unknown id; otherwise fails as `create`.
  Task<Result<GroupWithMembers>> change(std::string id, GroupChange change);
  /// Removes a group. Its members lose what was shared with it, and shares with it alone end.
  /// `not_found` for an unknown id.
  Task<Result<void>> remove(std::string id, std::optional<Asker> asker);

  /// Makes the account a member of those groups of the provider that have one of these names, and
  /// of no others of the provider. Groups that do not exist are not made. `address` is the
  /// client's.
  Task<Result<void>> follow(AccountId account, std::vector<std::string> names, std::string address);
  /// Returns the largest of the default quotas of the provider's groups that have one of these
  /// names (0: unlimited); nullopt if none has one.
  Task<Result<std::optional<std::uint64_t>>> default_quota(std::vector<std::string> names);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
