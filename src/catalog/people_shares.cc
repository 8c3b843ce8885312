#include "catalog/people_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/folding.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/key_rows.h"
#include "catalog/person_share_rows.h"
#include "catalog/row_limits.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::catalog {
namespace {

std::unexpected<Error> no_such_person_share() {
  return fail(ErrorCode::not_found, "There is no such share.");
}

std::unexpected<Error> no_such_receiver(const Receiver& receiver) {
  const bool is_group = receiver.kind == Receiver::Kind::group;
  return fail(ErrorCode::not_found, fmt::format("There is no {} {} to share with.",
                                                is_group ? "group" : "account", receiver.name));
}

// Who receives

Receiver receiver_from(Receiver::Kind kind, const sql::Row& row) {
  Receiver receiver{kind, row.get<std::string>(0), row.get<std::string>(1)};
  if (receiver.display_name.empty()) receiver.display_name = receiver.name;
  return receiver;
}

void sort_receivers(std::vector<Receiver>& receivers) {
  std::ranges::sort(receivers, {},
                    [](const Receiver& one) { return std::tie(one.kind, one.name); });
}

std::vector<Receiver> select_receivers(sql::Connection& sql, const ShareId& id) {
  std::vector<Receiver> receivers;
  for (const sql::Row& row : sql.query(
           "SELECT a.name, a.display_name FROM people_share_accounts r JOIN accounts a ON a.id = "
           "r.account_id WHERE r.share_id = $1",
           id)) {
    receivers.push_back(receiver_from(Receiver::Kind::account, row));
  }
  for (const sql::Row& row :
       sql.query("SELECT g.name, g.name FROM people_share_groups r JOIN account_groups g ON g.id = "
                 "r.group_id WHERE r.share_id = $1",
                 id)) {
    receivers.push_back(receiver_from(Receiver::Kind::group, row));
  }
  sort_receivers(receivers);
  return receivers;
}

/// Members of no common group are strangers.
constexpr std::string_view kHasCommonGroup =
    " AND EXISTS (SELECT 1 FROM group_members m JOIN group_members o ON o.group_id = m.group_id "
    "WHERE m.account_id = a.id AND o.account_id = $2)";
constexpr std::string_view kHasAsMember =
    " AND EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = g.id AND m.account_id = $2)";

std::string among_of(Acquaintance among, std::string_view condition) {
  // Each statement has both parameters, and PostgreSQL has to know their types.
  return among == Acquaintance::all ? " AND CAST($2 AS BIGINT) <> 0" : std::string(condition);
}

Result<void> add_account(sql::Connection& sql, const PersonShare& share, const Receiver& receiver,
                         Acquaintance among) {
  const auto id =
      sql.value<AccountId>("SELECT a.id FROM accounts a WHERE a.name = $1 AND a.disabled = 0" +
                               among_of(among, kHasCommonGroup),
                           receiver.name, share.owner->id);
  if (!id) return no_such_receiver(receiver);
  if (*id == share.owner->id) {
    return fail(ErrorCode::invalid, "An item cannot be shared with the account whose it is.");
  }
  sql.run("INSERT INTO people_share_accounts (share_id, account_id) VALUES ($1, $2)", share.id,
          *id);
  sql.run("DELETE FROM people_share_refusals WHERE share_id = $1 AND account_id = $2", share.id,
          *id);
  return {};
}

Result<void> add_group(sql::Connection& sql, const PersonShare& share, const Receiver& receiver,
                       Acquaintance among) {
  const auto id = sql.value<std::string>(
      "SELECT g.id FROM account_groups g WHERE g.name = $1" + among_of(among, kHasAsMember),
      receiver.name, share.owner->id);
  if (!id) return no_such_receiver(receiver);
  sql.run("INSERT INTO people_share_groups (share_id, group_id) VALUES ($1, $2)", share.id, *id);
  sql.run(
      "DELETE FROM people_share_refusals WHERE share_id = $1 AND account_id IN (SELECT account_id "
      "FROM group_members WHERE group_id = $2)",
      share.id, *id);
  return {};
}

Result<void> add_receivers(sql::Connection& sql, const PersonShare& share,
                           const std::vector<Receiver>& receivers, Acquaintance among) {
  for (const Receiver& receiver : receivers) {
    const bool is_group = receiver.kind == Receiver::Kind::group;
    TRY_VOID(is_group ? add_group(sql, share, receiver, among)
                      : add_account(sql, share, receiver, among));
  }
  return {};
}

Result<std::vector<Receiver>> checked(std::vector<Receiver> receivers) {
  sort_receivers(receivers);
  const auto repeated = std::ranges::unique(
      receivers, {}, [](const Receiver& one) { return std::tie(one.kind, one.name); });
  receivers.erase(repeated.begin(), repeated.end());
  if (!receivers.empty() && receivers.size() <= kMostReceivers) return receivers;
  return fail(ErrorCode::invalid,
              fmt::format("A share is for 1 to {} accounts and groups.", kMostReceivers));
}

void remove_receiver(sql::Connection& sql, const ShareId& id, const Receiver& receiver) {
  const bool is_group = receiver.kind == Receiver::Kind::group;
  sql.run(is_group ? "DELETE FROM people_share_groups WHERE share_id = $1 AND group_id = (SELECT "
                     "id FROM account_groups WHERE name = $2)"
                   : "DELETE FROM people_share_accounts WHERE share_id = $1 AND account_id = "
                     "(SELECT id FROM accounts WHERE name = $2)",
          id, receiver.name);
}

bool has_receiver(const std::vector<Receiver>& receivers, const Receiver& one) {
  return std::ranges::any_of(receivers, [&](const Receiver& other) {
    return one.kind == other.kind && one.name == other.name;
  });
}

/// Those that were there stay, even if the account may not find them any more, or they are
/// disabled. Those that are named anew receive what they had refused.
Result<void> change_receivers(sql::Connection& sql, const GivenShare& given,
                              const PersonShareChange& change) {
  TRY(auto wanted, checked(*change.receivers));
  for (const Receiver& one : given.receivers) {
    if (!has_receiver(wanted, one)) remove_receiver(sql, given.share.id, one);
  }
  std::erase_if(wanted, [&](const Receiver& one) { return has_receiver(given.receivers, one); });
  return add_receivers(sql, given.share, wanted, change.among);
}

// Shares

std::optional<PersonShare> select_share(sql::Connection& sql, const ShareId& id) {
  static const std::string kText = person_shares_where("p.id = $1");
  const auto row = sql.first(kText, id);
  return row ? std::optional(person_share_from(*row)) : std::nullopt;
}

Result<GivenShare> select_given_share(sql::Connection& sql, AccountId owner, const ShareId& id) {
  auto share = select_share(sql, id);
  if (!share || share->owner->id != owner) return no_such_person_share();
  return GivenShare{*std::move(share), select_receivers(sql, id)};
}

std::string details_of(const GivenShare& given) {
  std::vector<std::string> names;
  for (const Receiver& one : given.receivers) {
    names.push_back((one.kind == Receiver::Kind::group ? "group " : "") + one.name);
  }
  return fmt::format("path={}, {}, with={}", given.share.item.str(), word_of(given.share.access),
                     fmt::join(names, ", "));
}

/// Returns how many rows took the share from the account alone.
std::int64_t refuse(sql::Connection& sql, AccountId account, const ShareId& id) {
  const auto own = sql.change(
      "DELETE FROM people_share_accounts WHERE share_id = $1 AND account_id = $2", id, account);
  return own + sql.change(
                   "INSERT INTO people_share_refusals (share_id, account_id) SELECT p.id, "
                   "CAST($2 AS BIGINT) FROM people_shares p WHERE p.id = $1 AND EXISTS (SELECT 1 "
                   "FROM people_share_groups g JOIN group_members m ON m.group_id = g.group_id "
                   "WHERE g.share_id = p.id AND m.account_id = $2) ON CONFLICT DO NOTHING",
                   id, account);
}

/// The same for all shares of the item.
std::int64_t refuse_item(sql::Connection& sql, AccountId account, const ShareId& id) {
  const auto others = sql.query(
      "SELECT o.id FROM api_keys k JOIN api_keys o ON o.account_id = k.account_id AND o.scope = "
      "k.scope JOIN people_shares p ON p.id = o.id WHERE k.id = $1 AND o.id <> $1",
      id);
  const std::int64_t taken = refuse(sql, account, id);
  if (taken == 0) return 0;
  for (const sql::Row& row : others) refuse(sql, account, ShareId{row.get<std::string>(0)});
  return taken;
}

std::vector<ReceivedWay> select_ways(sql::Connection& sql, AccountId account, Receiver::Kind kind,
                                     const std::string& text) {
  std::vector<ReceivedWay> ways;
  for (const sql::Row& row : sql.query(text, account)) {
    ReceivedWay way;
    way.receiver = receiver_from(kind, row);
    way.owner = row.get<AccountId>(2);
    way.item = row.get<Path>(3);
    way.access = row.get<ShareAccess>(4);
    way.expires_at = row.get<std::optional<Timestamp>>(5);
    ways.push_back(std::move(way));
  }
  std::ranges::sort(ways, {}, [](const ReceivedWay& way) { return way.receiver.name; });
  return ways;
}

constexpr std::string_view kOfWay = "k.account_id, k.scope, p.access, k.expires_at ";
constexpr std::string_view kJoinsShare =
    "JOIN people_shares p ON p.id = r.share_id JOIN api_keys k ON k.id = p.id ";

// Search

/// True if a word of the folded text begins with the folded beginning.
bool has_word(std::string_view text, std::string_view beginning) {
  for (std::size_t at = text.find(beginning); at != text.npos; at = text.find(beginning, at + 1)) {
    if (at == 0 || std::string_view(" .-_@").contains(text[at - 1])) return true;
  }
  return false;
}

class Finder {
 public:
  explicit Finder(std::string_view text) { fold(text, wanted_); }

  void look_at(Receiver receiver) {
    fold(receiver.name, folded_);
    const bool is_first = folded_.starts_with(wanted_);
    if (!is_first && !has_word(folded_, wanted_)) {
      fold(receiver.display_name, folded_);
      if (!has_word(folded_, wanted_)) return;
    }
    (is_first ? first_ : others_).push_back(std::move(receiver));
  }
  std::vector<Receiver> take(std::size_t most) {
    sort_receivers(first_);
    sort_receivers(others_);
    std::ranges::move(others_, std::back_inserter(first_));
    if (first_.size() > most) first_.resize(most);
    return std::move(first_);
  }

 private:
  std::string wanted_;
  std::string folded_;
  std::vector<Receiver> first_;
  std::vector<Receiver> others_;
};

}  // namespace

Task<Result<GivenShare>> PeopleShares::create(NewPersonShare wanted) {
  auto job = [&](sql::Connection& sql) -> Result<GivenShare> {
    TRY(const auto receivers, checked(wanted.receivers));
    lock(sql, Generation::auth);  // As a new key does.
    TRY(const auto actor, check(sql, wanted.key.asker));
    bump(sql, Generation::mounts);
    TRY_VOID(check_count(sql, wanted.key.account, KeyKind::person_share, kMostPersonShares));
    TRY(const auto made, add_key(sql, wanted.key, KeyKind::person_share));
    sql.run("INSERT INTO people_shares (id, is_folder, access) VALUES ($1, $2, $3)", made.key.id,
            wanted.is_folder, wanted.access);
    const ShareId id{made.key.id.value};
    const auto share = select_share(sql, id);
    if (!share) return no_such_person_share();
    TRY_VOID(add_receivers(sql, *share, receivers, wanted.among));
    TRY(auto given, select_given_share(sql, wanted.key.account, id));
    note(sql, AuditKind::item_shared, actor, made.owner, details_of(given));
    return given;
  };
  co_return co_await database_.run(Lane::write, wanted.key.account, std::move(job));
}

Task<Result<std::vector<GivenShare>>> PeopleShares::list(AccountId owner) {
  auto job = [owner](sql::Connection& sql) -> Result<std::vector<GivenShare>> {
    std::vector<GivenShare> all;
    for (PersonShare& share : select_given(sql, owner)) {
      auto receivers = select_receivers(sql, share.id);
      all.push_back({std::move(share), std::move(receivers)});
    }
    std::ranges::sort(all, {}, [](const GivenShare& given) {
      return std::tie(given.share.created_at, given.share.id);
    });
    return all;
  };
  co_return co_await database_.run(Lane::read, owner, std::move(job));
}

Task<Result<GivenShare>> PeopleShares::find(AccountId owner, ShareId id) {
  auto job = [&](sql::Connection& sql) { return select_given_share(sql, owner, id); };
  co_return co_await database_.run(Lane::read, owner, std::move(job));
}

Task<Result<std::vector<ReceivedWay>>> PeopleShares::ways_to(AccountId account) {
  static const std::string kByName = fmt::format(
      "SELECT a.name, a.display_name, {} FROM people_share_accounts r {} JOIN accounts a ON "
      "a.id = r.account_id WHERE r.account_id = $1",
      kOfWay, kJoinsShare);
  static const std::string kByGroup = fmt::format(
      "SELECT g.name, g.name, {} FROM people_share_groups r {} JOIN account_groups g ON g.id = "
      "r.group_id "
      "JOIN group_members m ON m.group_id = g.id WHERE m.account_id = $1 AND NOT EXISTS (SELECT 1 "
      "FROM people_share_refusals f WHERE f.share_id = p.id AND f.account_id = $1)",
      kOfWay, kJoinsShare);
  auto job = [account](sql::Connection& sql) -> Result<std::vector<ReceivedWay>> {
    auto ways = select_ways(sql, account, Receiver::Kind::account, kByName);
    std::ranges::move(select_ways(sql, account, Receiver::Kind::group, kByGroup),
                      std::back_inserter(ways));
    return ways;
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<bool>> PeopleShares::exists(ShareId id) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    return sql.only<std::int64_t>("SELECT count(*) FROM people_shares WHERE id = $1", id) > 0;
  };
  co_return co_await database_.run(Lane::read, Turn::of(id.value), std::move(job));
}

Task<Result<GivenShare>> PeopleShares::change(AccountId owner, ShareId id,
                                              PersonShareChange change) {
  auto job = [&](sql::Connection& sql) -> Result<GivenShare> {
    TRY(const auto actor, begin_change(sql, change.asker));
    TRY(const auto given, select_given_share(sql, owner, id));
    if (change.access) {
      sql.run("UPDATE people_shares SET access = $1 WHERE id = $2", *change.access, id);
    }
    if (change.receivers) TRY_VOID(change_receivers(sql, given, change));
    TRY(auto changed, select_given_share(sql, owner, id));
    note(sql, AuditKind::item_share_changed, actor, given.share.owner->name, details_of(changed));
    return changed;
  };
  co_return co_await database_.run(Lane::write, owner, std::move(job));
}

Task<Result<void>> PeopleShares::end(AccountId account, ShareId id, std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(const auto actor, begin_change(sql, asker));
    const auto share = select_share(sql, id);
    if (!share) return no_such_person_share();
    GivenShare given{*share, select_receivers(sql, id)};
    if (share->owner->id == account) {
      sql.run("DELETE FROM api_keys WHERE id = $1", id);
    } else if (refuse_item(sql, account, id) > 0) {
      given.receivers = {{Receiver::Kind::account, name_of(sql, account)}};
    } else {
      return no_such_person_share();
    }
    note(sql, AuditKind::item_unshared, actor, share->owner->name, details_of(given));
    end_unreceived(sql, actor);
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<std::vector<Receiver>>> PeopleShares::search(AccountId account, std::string text,
                                                         Acquaintance among, std::size_t most) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<Receiver>> {
    Finder finder(text);
    const auto accounts = sql.query(
        "SELECT a.name, a.display_name FROM accounts a WHERE a.disabled = 0 AND a.id <> $1" +
            among_of(among, kHasCommonGroup),
        account, account);
    for (const sql::Row& row : accounts) {
      finder.look_at(receiver_from(Receiver::Kind::account, row));
    }
    const auto groups =
        sql.query("SELECT g.name, g.name FROM account_groups g WHERE CAST($1 AS BIGINT) <> 0" +
                      among_of(among, kHasAsMember),
                  account, account);
    for (const sql::Row& row : groups) finder.look_at(receiver_from(Receiver::Kind::group, row));
    return finder.take(most);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

}  // namespace coffer::catalog
