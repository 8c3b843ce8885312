#include "catalog/ledger_updates.h"

namespace coffer::catalog {

LedgerUpdates::LedgerUpdates(soci::session& sql)
    : sql_(sql),
      reserve_((
          sql.prepare << "UPDATE quota_usage SET reserved_bytes = reserved_bytes + :bytes, "
                         "version = version + 1 WHERE account_id = :account AND EXISTS (SELECT 1 "
                         "FROM accounts a WHERE a.id = quota_usage.account_id AND (a.quota_bytes = "
                         "0 OR :needed <= a.quota_bytes - used_bytes - reserved_bytes))",
          soci::use(reserved_, "bytes"), soci::use(account_, "account"),
          soci::use(needed_, "needed"))),
      change_((sql.prepare << "UPDATE quota_usage SET reserved_bytes = reserved_bytes + :reserved, "
                              "used_bytes = used_bytes + :used, version = version + 1 "
                              "WHERE account_id = :account",
               soci::use(reserved_, "reserved"), soci::use(used_, "used"),
               soci::use(account_, "account"))) {}

bool LedgerUpdates::reserve(AccountId account, long long bytes, long long headroom) {
  account_ = account.value;
  reserved_ = bytes;
  needed_ = bytes + headroom;
  reserve_.execute(true);
  if (reserve_.get_affected_rows() == 0) return false;
  sums_[account] += bytes;
  return true;
}

bool LedgerUpdates::change(AccountId account, long long reserved_delta, long long used_delta) {
  account_ = account.value;
  reserved_ = reserved_delta;
  used_ = used_delta;
  change_.execute(true);
  if (change_.get_affected_rows() == 0) return false;
  sums_[account] += reserved_delta;
  return true;
}

bool LedgerUpdates::account_exists(AccountId account) {
  const long long id = account.value;
  long long count = 0;
  sql_ << "SELECT count(*) FROM quota_usage WHERE account_id = :account", soci::use(id, "account"),
      soci::into(count);
  return count > 0;
}

void LedgerUpdates::note(const std::string& node) {
  for (const auto& [account, bytes] : sums_) {
    if (bytes == 0) continue;
    const long long id = account.value;
    const long long sum = bytes;
    sql_ << "INSERT INTO reservations (account_id, node, bytes) VALUES (:account, :node, :bytes) "
            "ON CONFLICT (account_id, node) DO UPDATE SET bytes = reservations.bytes + "
            "excluded.bytes",
        soci::use(id, "account"), soci::use(node, "node"), soci::use(sum, "bytes");
  }
}

}  // namespace coffer::catalog
