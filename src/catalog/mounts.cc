#include "catalog/mounts.h"

#include <algorithm>

#include "catalog/cached_rows.h"
#include "catalog/database.h"
#include "catalog/mount_rows.h"
#include "catalog/person_share_rows.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

using MountsPtr = std::shared_ptr<const AccountMounts>;

MountsPtr select_mounts(sql::Connection& sql, const AccountId& account) {
  return std::make_shared<const AccountMounts>(AccountMounts{select_shares_for(sql, account),
                                                             select_received(sql, account),
                                                             select_connectors_of(sql, account)});
}

CachedMounts::GivenShares select_given_by(sql::Connection& sql, const AccountId& owner) {
  return std::make_shared<const std::vector<PersonShare>>(select_given(sql, owner));
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

const PersonShare* AccountMounts::person_share(std::string_view id) const {
  return find_by_id(received, id);
}

const Connector* AccountMounts::connector(std::string_view id) const {
  return find_by_id(connectors, id);
}

class CachedMounts::Impl {
 public:
  explicit Impl(Database& used)
      : database(used),
        rows(used, Generation::mounts, select_mounts),
        given(used, Generation::mounts, select_given_by),
        all_shares(used, Generation::mounts, select_of_all) {}

  Database& database;
  CachedRows<AccountId, AccountMounts> rows;
  CachedRows<AccountId, std::vector<PersonShare>> given;
  CachedRows<OfAll, std::vector<Share>, HashOfAll> all_shares;
};

CachedMounts::CachedMounts(Database& database) : impl_(std::make_unique<Impl>(database)) {}

CachedMounts::~CachedMounts() = default;

MountsPtr CachedMounts::find_now(AccountId account) {
  return impl_->rows.find_now(account);
}

CachedMounts::GivenShares CachedMounts::find_given_now(AccountId owner) {
  return impl_->given.find_now(owner);
}

Task<Result<CachedMounts::GivenShares>> CachedMounts::find_given(AccountId owner) {
  auto job = [&](sql::Connection& sql) -> Result<GivenShares> {
    return impl_->given.find(sql, owner);
  };
  co_return co_await impl_->database.run(Lane::read, owner, std::move(job));
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
