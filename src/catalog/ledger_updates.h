#pragma once

#include <soci/soci.h>

#include <map>
#include <string>

#include "base/id.h"

namespace coffer::catalog {

/// The ledger's changes in one transaction. For each account it keeps the sum of what it reserved,
/// to be noted for the node at the end.
class LedgerUpdates {
 public:
  explicit LedgerUpdates(soci::session& sql);

  /// False if `bytes` and `headroom` together do not fit, or there is no such account. More than an
  /// exbibyte fits in no account.
  bool reserve(AccountId account, long long bytes, long long headroom);
  /// Changes the figures whatever the limit; false if there is no such account.
  bool change(AccountId account, long long reserved_delta, long long used_delta);
  bool account_exists(AccountId account);
  /// The number that the last of the node's transactions set; 0 if none did.
  long long last_entry(const std::string& node);
  void set_entry(const std::string& node, long long entry);
  /// Notes the sums, so that they can be dropped if the node dies. Last.
  void note(const std::string& node);

 private:
  soci::session& sql_;
  std::map<AccountId, long long> sums_;
  long long account_ = 0;
  long long reserved_ = 0;
  long long needed_ = 0;
  long long used_ = 0;
  soci::statement reserve_;
  soci::statement change_;
};

}  // namespace coffer::catalog
