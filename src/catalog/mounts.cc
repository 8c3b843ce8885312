#include "catalog/mounts.h"

#include <algorithm>

#include "catalog/cached_rows.h"
#include "catalog/database.h"
#include "catalog/mount_rows.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

using MountsPtr = std::shared_ptr<const AccountMounts>;

MountsPtr select_mounts(sql::Connection& sql, const AccountId& account) {
  return std::make_shared<const AccountMounts>(
      AccountMounts{select_shares_for(sql, account), select_connectors_of(sql, account)});
}

/// The key of the cached list of all shares, which is one value.
struct OfAll {
  bool operator==(const OfAll&) const = default;
};
struct HashOfAll {
  std::size_t operator()(const OfAll&) const { return 0; }
};

CachedMounts::AllShares select_of_all(sql::Connection& sql, const OfAll&) {
  return std::make_shared<const std::vector<Share>>(select_all_shares(sql));
}

template <class Mount>
const Mount* find_by_id(const std::vector<Mount>& mounts, std::string_view id) {
  const auto found =
      std::ranges::find_if(mounts, [id](const Mount& mount) { return mount.id.value == id; });
  return found == mounts.end() ? nullptr : &*found;
}

}  // namespace

const Share* AccountMounts::share(std::string_view id) const {
  return find_by_id(shares, id);
}

const Connector* AccountMounts::connector(std::string_view id) const {
  return find_by_id(connectors, id);
}

class CachedMounts::Impl {
 public:
  explicit Impl(Database& used)
      : database(used),
        rows(used, Generation::mounts, select_mounts),
        all_shares(used, Generation::mounts, select_of_all) {}

  Database& database;
  CachedRows<AccountId, AccountMounts> rows;
  CachedRows<OfAll, std::vector<Share>, HashOfAll> all_shares;
};

CachedMounts::CachedMounts(Database& database) : impl_(std::make_unique<Impl>(database)) {}

CachedMounts::~CachedMounts() = default;

MountsPtr CachedMounts::find_now(AccountId account) {
  return impl_->rows.find_now(account);
}

CachedMounts::AllShares CachedMounts::find_all_shares_now() {
  return impl_->all_shares.find_now({});
}

Task<Result<CachedMounts::AllShares>> CachedMounts::find_all_shares() {
  auto job = [&](sql::Connection& sql) -> Result<AllShares> {
    return impl_->all_shares.find(sql, {});
  };
  co_return co_await impl_->database.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<MountsPtr>> CachedMounts::find(AccountId account) {
  auto job = [&](sql::Connection& sql) -> Result<MountsPtr> {
    return impl_->rows.find(sql, account);
  };
  co_return co_await impl_->database.run(Lane::read, account, std::move(job));
}

}  // namespace coffer::catalog
