#include "catalog/ledger_updates.h"

#include <optional>

namespace coffer::catalog {
namespace {

// An exbibyte: what counts as unlimited, so that no sum comes near the 63 bits of a column.
const long long kMostBytes = 1LL << 60;

}  // namespace

LedgerUpdates::LedgerUpdates(soci::session& sql)
    : sql_(sql),
      reserve_(
          (sql.prepare << "UPDATE quota_usage SET reserved_bytes = reserved_bytes + :bytes, "
                          "version = version + 1 WHERE account_id = :account AND EXISTS (SELECT 1 "
                          "FROM accounts a WHERE a.id = quota_usage.account_id AND :needed <= CASE "
                          "WHEN a.quota_bytes BETWEEN 1 AND :most THEN a.quota_bytes "
                          "ELSE :most END - used_bytes - reserved_bytes)",
           soci::use(reserved_, "bytes"), soci::use(account_, "account"),
           soci::use(needed_, "needed"), soci::use(kMostBytes, "most"))),
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

long long LedgerUpdates::last_entry(const std::string& node) {
  long long entry = 0;
  sql_ << "SELECT ledger_entry FROM runs WHERE node = :node", soci::use(node, "node"),
      soci::into(entry);
  return sql_.got_data() ? entry : 0;
}

void LedgerUpdates::set_entry(const std::string& node, long long entry) {
  sql_ << "UPDATE runs SET ledger_entry = :entry WHERE node = :node", soci::use(entry, "entry"),
      soci::use(node, "node");
}

void LedgerUpdates::note(const std::string& node) {
  long long id = 0;
  long long sum = 0;
  std::optional<soci::statement> add;
  for (const auto& [account, bytes] : sums_) {
    if (bytes == 0) continue;
    id = account.value;
    sum = bytes;
    if (!add) {
      add.emplace((sql_.prepare << "INSERT INTO reservations (account_id, node, bytes) VALUES "
                                   "(:account, :node, :bytes) ON CONFLICT (account_id, node) "
                                   "DO UPDATE SET bytes = reservations.bytes + excluded.bytes",
                   soci::use(id, "account"), soci::use(node, "node"), soci::use(sum, "bytes")));
    }
    add->execute(true);
  }
}

}  // namespace coffer::catalog
