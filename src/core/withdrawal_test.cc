#include "core/withdrawal.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "async/run.h"
#include "base/random.h"
#include "catalog/catalog.h"
#include "core/no_backends.h"

namespace coffer::core {
namespace {

namespace fs = std::filesystem;

class WithdrawalsTest : public testing::Test {
 protected:
  WithdrawalsTest() : folder_(fs::temp_directory_path() / ("coffer-rights-" + random_hex(8))) {
    fs::create_directory(folder_);
    catalog_ = catalog::Catalog::open("sqlite://" + (folder_ / "catalog").string()).value();
    ada_ = add("ada");
    catalog::NewShare share;
    share.name = "Team";
    share.target = "/srv/team";
    share.accounts = {ada_};
    share_ = run(catalog_->shares().create(std::move(share))).value().id;
    mounts_.emplace(catalog_->mounts(), backends_);
    rights_.emplace(catalog_->accounts(), *mounts_);
    reading_.mount = run(mounts_->find(ada_, "__adm_" + share_.value)).value();
    writing_ = reading_;
    writing_.writes = true;
  }
  ~WithdrawalsTest() override {
    catalog_.reset();
    fs::remove_all(folder_);
  }

  AccountId add(const std::string& name) {
    catalog::NewAccount account;
    account.name = name;
    return run(catalog_->accounts().add(std::move(account))).value().id;
  }
  void change(const catalog::ShareChange& change) {
    ASSERT_TRUE(run(catalog_->shares().set(share_, change)));
  }
  void disable(bool disabled) {
    catalog::AccountChange change;
    change.disabled = disabled;
    ASSERT_TRUE(run(catalog_->accounts().change(ada_, std::move(change))));
  }
  std::optional<Error> of(const MountUse& use) { return run(rights_->of(ada_, {MountUse(), use})); }

  const fs::path folder_;
  NoBackends backends_;
  std::unique_ptr<catalog::Catalog> catalog_;
  std::optional<Mounts> mounts_;
  std::optional<Withdrawals> rights_;
  AccountId ada_;
  ShareId share_;
  MountUse reading_;
  MountUse writing_;
};

TEST_F(WithdrawalsTest, WhatNobodyTookStands) {
  const MountUse own{.mount = std::nullopt, .writes = true};
  for (const auto& use : {own, reading_, writing_}) EXPECT_FALSE(of(use));
}

TEST_F(WithdrawalsTest, AReadOnlyMountMayStillBeRead) {
  catalog::ShareChange closed;
  closed.read_only = true;
  change(closed);
  EXPECT_FALSE(of(reading_));
  ASSERT_TRUE(of(writing_));
  EXPECT_EQ(of(writing_)->code, ErrorCode::forbidden);
  EXPECT_EQ(of(writing_)->message, "Team became read-only while this was under way.");
}

TEST_F(WithdrawalsTest, AMountOfOthersIsWithdrawn) {
  catalog::ShareChange taken;
  taken.accounts = {add("bob")};
  change(taken);
  ASSERT_TRUE(of(reading_));
  EXPECT_EQ(of(reading_)->code, ErrorCode::forbidden);
  EXPECT_EQ(of(reading_)->message, "Team was withdrawn while this was under way.");
}

TEST_F(WithdrawalsTest, ARemovedMountIsWithdrawn) {
  ASSERT_TRUE(run(catalog_->shares().remove(share_)));
  EXPECT_TRUE(of(reading_));
}

TEST_F(WithdrawalsTest, ADisabledAccountMayNothing) {
  disable(true);
  ASSERT_TRUE(of(MountUse()));
  EXPECT_EQ(of(MountUse())->code, ErrorCode::unauthenticated);
  disable(false);
  EXPECT_FALSE(of(writing_));
}

TEST_F(WithdrawalsTest, ARemovedAccountMayNothing) {
  ASSERT_TRUE(run(catalog_->accounts().remove(ada_)));
  EXPECT_TRUE(of(MountUse()));
}

}  // namespace
}  // namespace coffer::core
