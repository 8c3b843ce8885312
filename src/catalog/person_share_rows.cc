#include "catalog/person_share_rows.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/key_rows.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::catalog {
namespace {

std::vector<PersonShare> select_person_shares(sql::Connection& sql, const std::string& text,
                                              AccountId account) {
  std::vector<PersonShare> shares;
  for (const sql::Row& row : sql.query(text, account)) shares.push_back(person_share_from(row));
  return shares;
}

}  // namespace

std::string person_shares_where(std::string_view condition) {
  return "SELECT p.is_folder, p.access, " + sql::columns<Key>("k.") + ", " +
         sql::columns<Account>("a.") +
         " FROM people_shares p JOIN api_keys k ON k.id = p.id JOIN accounts a ON a.id = "
         "k.account_id WHERE " +
         std::string(condition);
}

PersonShare person_share_from(const sql::Row& row) {
  constexpr std::size_t kKey = 2;
  auto key = sql::read<Key>(row, kKey);
  PersonShare share;
  share.id.value = std::move(key.id.value);
  share.owner =
      std::make_shared<const Account>(sql::read<Account>(row, kKey + sql::kColumnCount<Key>));
  share.item = *std::move(key.folder);
  share.is_folder = row.get<bool>(0);
  share.access = row.get<ShareAccess>(1);
  share.created_at = key.created_at;
  share.expires_at = key.expires_at;
  share.is_in_transit = !key.change_id.empty();
  return share;
}

std::vector<PersonShare> select_received(sql::Connection& sql, AccountId account) {
  static const std::string kText = person_shares_where(
      "a.disabled = 0 AND k.account_id <> $1 AND p.id IN (SELECT share_id FROM "
      "people_share_accounts WHERE account_id = $1 UNION SELECT g.share_id FROM group_members m "
      "JOIN people_share_groups g ON g.group_id = m.group_id WHERE m.account_id = $1 AND NOT "
      "EXISTS (SELECT 1 FROM people_share_refusals r WHERE r.share_id = g.share_id AND "
      "r.account_id = $1))");
  return select_person_shares(sql, kText, account);
}

void end_unreceived(sql::Connection& sql, const Actor& actor) {
  static const std::string kText = person_shares_where(
      "NOT EXISTS (SELECT 1 FROM people_share_accounts r WHERE r.share_id = p.id) AND NOT EXISTS "
      "(SELECT 1 FROM people_share_groups g WHERE g.share_id = p.id)");
  for (const sql::Row& row : sql.query(kText)) {
    const PersonShare share = person_share_from(row);
    sql.run("DELETE FROM api_keys WHERE id = $1", share.id);
    note(sql, AuditKind::item_unshared, actor, share.owner->name,
         fmt::format("path={}, {}, nobody receives it any more", share.item.str(),
                     word_of(share.access)));
  }
}

std::vector<PersonShare> select_given(sql::Connection& sql, AccountId owner) {
  static const std::string kText = person_shares_where("k.account_id = $1");
  return select_person_shares(sql, kText, owner);
}

}  // namespace coffer::catalog
