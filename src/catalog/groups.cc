#include "catalog/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "base/folding.h"
#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/person_share_rows.h"
#include "catalog/row_limits.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::Group> {
  using Group = catalog::Group;
  static constexpr std::string_view kName = "account_groups";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &Group::id},
      Column{"name", &Group::name},
      Column{"description", &Group::description},
      Column{"default_quota_bytes", &Group::default_quota_bytes},
      Column{"from_provider", &Group::from_provider},
      Column{"created_at", &Group::created_at},
  };
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

/// Returns the groups with their members. One statement for both, since on PostgreSQL each sees a
/// snapshot of its own.
std::vector<GroupWithMembers> select_groups(sql::Connection& sql, std::string_view condition,
                                            const std::string& argument) {
  const std::string text =
      "SELECT " + sql::columns<Group>("g.") +
      ", a.name FROM account_groups g LEFT JOIN group_members m ON m.group_id = g.id LEFT JOIN "
      "accounts a ON a.id = m.account_id WHERE " +
      std::string(condition) + " ORDER BY g.id";
  std::vector<GroupWithMembers> groups;
  for (const sql::Row& row : sql.query(text, argument)) {
    auto group = sql::read<Group>(row);
    if (groups.empty() || groups.back().group.id != group.id)
      groups.push_back({std::move(group), {}});
    auto member = row.get<std::optional<std::string>>(sql::kColumnCount<Group>);
    if (member) groups.back().members.push_back(*std::move(member));
  }
  for (GroupWithMembers& one : groups) std::ranges::sort(one.members);
  return groups;
}

Result<GroupWithMembers> select_group(sql::Connection& sql, const std::string& id) {
  auto found = select_groups(sql, "g.id = $1", id);
  if (found.empty()) return fail(ErrorCode::not_found, "There is no such group.");
  return std::move(found.front());
}

void apply(const GroupChange& change, GroupWithMembers& one) {
  if (change.name) one.group.name = *change.name;
  if (change.description) one.group.description = *change.description;
  if (change.default_quota_bytes) one.group.default_quota_bytes = *change.default_quota_bytes;
  if (change.from_provider) one.group.from_provider = *change.from_provider;
  if (change.members) one.members = *change.members;
  std::ranges::copy(change.added_members, std::back_inserter(one.members));
  std::erase_if(one.members, [&](const std::string& name) {
    return std::ranges::find(change.removed_members, name) != change.removed_members.end();
  });
  std::ranges::sort(one.members);
  const auto repeated = std::ranges::unique(one.members);
  one.members.erase(repeated.begin(), repeated.end());
}

Result<void> store_members(sql::Connection& sql, const std::string& id,
                           const std::vector<std::string>& names) {
  sql.run("DELETE FROM group_members WHERE group_id = $1", id);
  for (const std::string& name : names) {
    const auto added = sql.change(
        "INSERT INTO group_members (group_id, account_id) SELECT $1, id FROM accounts WHERE "
        "name = $2",
        id, name);
    if (added == 0) return fail(ErrorCode::not_found, fmt::format("There is no account {}.", name));
  }
  return {};
}

/// Names that people cannot tell apart are one.
Result<void> check_is_free(sql::Connection& sql, const Group& group) {
  std::string wanted;
  std::string other;
  fold(group.name, wanted);
  for (const sql::Row& row :
       sql.query("SELECT name FROM account_groups WHERE id <> $1", group.id)) {
    const auto name = row.get<std::string>(0);
    fold(name, other);
    if (other != wanted) continue;
    return fail(ErrorCode::exists,
                name == group.name
                    ? "A group with this name exists already."
                    : fmt::format("A group with nearly this name exists already: {}.", name));
  }
  return {};
}

Result<void> check_size(const GroupWithMembers& one) {
  if (one.members.size() <= kMostMembers) return {};
  return fail(ErrorCode::rate_limited,
              fmt::format("A group has {} members at most.", kMostMembers));
}

std::string details_of(const GroupWithMembers& one) {
  return fmt::format("members={}{}", one.members.size(),
                     one.group.from_provider ? ", from the provider" : "");
}

}  // namespace

Task<Result<GroupWithMembers>> Groups::create(GroupChange wanted) {
  auto job = [&](sql::Connection& sql) -> Result<GroupWithMembers> {
    TRY(const auto actor, begin_change(sql, wanted.asker));
    const auto count = sql.only<std::int64_t>("SELECT count(*) FROM account_groups");
    if (std::cmp_greater_equal(count, kMostGroups)) {
      return fail(ErrorCode::rate_limited, fmt::format("There are {} groups: remove some.", count));
    }
    GroupWithMembers made;
    made.group.id = random_hex(16);
    made.group.created_at = now();
    apply(wanted, made);
    TRY_VOID(check_is_free(sql, made.group));
    TRY_VOID(check_size(made));
    sql::insert(sql, made.group);
    TRY_VOID(store_members(sql, made.group.id, made.members));
    note(sql, AuditKind::group_created, actor, made.group.name, details_of(made));
    return made;
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<std::vector<GroupWithMembers>>> Groups::list() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<GroupWithMembers>> {
    auto groups = select_groups(sql, "g.id <> $1", "");
    std::ranges::sort(groups, {}, [](const GroupWithMembers& one) { return one.group.name; });
    return groups;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<GroupWithMembers>> Groups::find(std::string id) {
  auto job = [&](sql::Connection& sql) { return select_group(sql, id); };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<GroupWithMembers>> Groups::change(std::string id, GroupChange change) {
  auto job = [&](sql::Connection& sql) -> Result<GroupWithMembers> {
    TRY(const auto actor, begin_change(sql, change.asker));
    TRY(auto one, select_group(sql, id));
    const auto [group, members] = one;
    apply(change, one);
    if (one.group.name != group.name) TRY_VOID(check_is_free(sql, one.group));
    TRY_VOID(check_size(one));
    sql::run_update(sql, one.group);
    if (one.members != members) TRY_VOID(store_members(sql, id, one.members));
    note(sql, AuditKind::group_changed, actor, one.group.name, details_of(one));
    return one;
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<void>> Groups::remove(std::string id, std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(const auto actor, begin_change(sql, asker));
    TRY(const auto one, select_group(sql, id));
    sql.run("DELETE FROM account_groups WHERE id = $1", id);
    note(sql, AuditKind::group_removed, actor, one.group.name, details_of(one));
    end_unreceived(sql, actor);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<void>> Groups::follow(AccountId account, std::vector<std::string> names,
                                  std::string address) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    lock(sql, Generation::mounts);
    const std::set<std::string, std::less<>> claimed(names.begin(), names.end());
    std::vector<std::string> changes;
    const auto groups = sql.query(
        "SELECT g.id, g.name, (SELECT count(*) FROM group_members m WHERE m.group_id = g.id AND "
        "m.account_id = $1), (SELECT count(*) FROM group_members m WHERE m.group_id = g.id) FROM "
        "account_groups g WHERE g.from_provider = 1",
        account);
    for (const sql::Row& row : groups) {
      const auto id = row.get<std::string>(0);
      const auto name = row.get<std::string>(1);
      const bool is_member = row.get<std::int64_t>(2) > 0;
      if (claimed.contains(name) == is_member) continue;
      const bool is_full = std::cmp_greater_equal(row.get<std::int64_t>(3), kMostMembers);
      if (!is_member && is_full) continue;
      sql.run(is_member ? "DELETE FROM group_members WHERE group_id = $1 AND account_id = $2"
                        : "INSERT INTO group_members (group_id, account_id) VALUES ($1, $2)",
              id, account);
      changes.push_back((is_member ? "left " : "joined ") + name);
    }
    if (changes.empty()) return {};
    bump(sql, Generation::mounts);
    const std::string owner = name_of(sql, account);
    note(sql, AuditKind::group_changed, Actor{owner, address}, owner,
         fmt::format("{}, by the sign-in", fmt::join(changes, ", ")));
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<std::optional<std::uint64_t>>> Groups::default_quota(std::vector<std::string> names) {
  auto job = [&](sql::Connection& sql) -> Result<std::optional<std::uint64_t>> {
    std::optional<std::uint64_t> largest;
    const auto rows = sql.query(
        "SELECT name, default_quota_bytes FROM account_groups WHERE from_provider = 1 AND "
        "default_quota_bytes IS NOT NULL");
    for (const sql::Row& row : rows) {
      if (std::ranges::find(names, row.get<std::string>(0)) == names.end()) continue;
      const auto quota = row.get<std::uint64_t>(1);
      const bool is_larger = !largest || quota == 0 || (*largest != 0 && quota > *largest);
      if (is_larger) largest = quota;
    }
    return largest;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
