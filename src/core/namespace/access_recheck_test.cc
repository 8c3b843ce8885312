#include "core/namespace/access_recheck.h"

#include <gtest/gtest.h>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/no_backends.h"
#include "core/testing/one_home.h"

namespace coffer::core {
namespace {

class WithdrawalsTest : public testing::Test {
 protected:
  WithdrawalsTest() {
    principal_.account =
        std::make_shared<const catalog::Account>(run(catalog_->accounts().get(ada_)).value());
    catalog::NewShare share;
    share.name = "Team";
    share.target = "/srv/team";
    share.accounts = {ada_};
    share_ = run(catalog_->shares().create(std::move(share))).value().id;
    mounts_.emplace(catalog_->mounts(), backends_, no_homes_);
    rights_.emplace(*catalog_, *mounts_);
    reading_.mount = run(mounts_->find(ada_, "__adm_" + share_.value)).value();
    writing_ = reading_;
    writing_.writes = true;
  }
  void change(const catalog::ShareChange& change) {
    ASSERT_TRUE(run(catalog_->shares().set(share_, change)));
  }
  void disable(bool disabled) {
    catalog::AccountChange change;
    change.disabled = disabled;
    ASSERT_TRUE(run(catalog_->accounts().change(ada_, std::move(change))));
  }
  /// Why the principal may not do this, if that is so.
  std::optional<Error> of(const MountUse& use) {
    auto stands = run(rights_->of(principal_, {MountUse(), use}));
    return stands ? std::nullopt : std::optional(stands.error());
  }
  /// Comes with a key from now on, that is limited to `folder` if there is one.
  catalog::Key sign_in(std::optional<Path> folder, std::optional<Timestamp> expires_at = {}) {
    catalog::NewKey key;
    key.account = ada_;
    key.name = "key";
    key.hash.fill(std::byte{1});
    key.folder = std::move(folder);
    key.expires_at = expires_at;
    auto made = run(catalog_->keys().create(key)).value();
    principal_ = principal_of(run(catalog_->keys().find(key.hash)).value());
    return made;
  }

  NoBackends backends_;
  OneHome no_homes_{nullptr};
  catalog::ScratchCatalog catalog_;
  std::optional<Mounts> mounts_;
  std::optional<AccessRecheck> rights_;
  const AccountId ada_ = catalog_.add_account("ada").id;
  Principal principal_;
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
  taken.accounts = {catalog_.add_account("bob").id};
  change(taken);
  ASSERT_TRUE(of(reading_));
  EXPECT_EQ(of(reading_)->code, ErrorCode::forbidden);
  EXPECT_EQ(of(reading_)->message, "Team was withdrawn while this was under way.");
}

TEST_F(WithdrawalsTest, ARemovedMountIsNotThere) {
  ASSERT_TRUE(run(catalog_->shares().remove(share_)));
  ASSERT_TRUE(of(reading_));
  EXPECT_EQ(of(reading_)->code, ErrorCode::not_found);
}

TEST_F(WithdrawalsTest, WhoIsNoAdministratorAnyMoreReadsNoneOfTheirs) {
  const auto refused = run(rights_->of_administrator(principal_));
  EXPECT_TRUE(!refused && refused.error().code == ErrorCode::forbidden);
  catalog::AccountChange change;
  change.role = catalog::Role::admin;
  ASSERT_TRUE(run(catalog_->accounts().change(ada_, change)));
  EXPECT_TRUE(run(rights_->of_administrator(principal_)));
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

TEST_F(WithdrawalsTest, ARevokedKeyMayNothing) {
  const auto key = sign_in(std::nullopt);
  EXPECT_FALSE(of(writing_));
  ASSERT_TRUE(run(catalog_->keys().revoke(ada_, key.id, std::nullopt)));
  ASSERT_TRUE(of(MountUse()));
  EXPECT_EQ(of(MountUse())->code, ErrorCode::unauthenticated);
}

TEST_F(WithdrawalsTest, AnExpiredKeyMayNothing) {
  sign_in(std::nullopt, now() + std::chrono::milliseconds(100));
  EXPECT_FALSE(of(writing_));
  while (now() < *run(catalog_->keys().list(ada_, {})).value()[0].expires_at) {
  }
  ASSERT_TRUE(of(MountUse()));
  EXPECT_EQ(of(MountUse())->code, ErrorCode::unauthenticated);
}

TEST_F(WithdrawalsTest, AnEndedSessionMayNothing) {
  catalog::NewWebSession session;
  session.account = ada_;
  session.hash.fill(std::byte{1});
  const auto made = run(catalog_->web_sessions().create(session, 10)).value();
  principal_ = principal_of(run(catalog_->web_sessions().find(session.hash)).value());
  EXPECT_FALSE(of(writing_));
  ASSERT_TRUE(run(catalog_->web_sessions().end(ada_, made.id)));
  ASSERT_TRUE(of(MountUse()));
  EXPECT_EQ(of(MountUse())->code, ErrorCode::unauthenticated);
}

TEST(Session, EndsByItsAgeAndWhenItIsNotUsed) {
  catalog::WebSession session;
  session.created_at = kEarliest;
  session.last_seen_at = kEarliest + kSessionLifetime;
  constexpr std::chrono::seconds kLater{1};
  EXPECT_FALSE(has_expired(session, kEarliest + kSessionLifetime));
  EXPECT_TRUE(has_expired(session, kEarliest + kSessionLifetime + kLater));
  session.last_seen_at = kEarliest;
  EXPECT_FALSE(has_expired(session, kEarliest + kSessionIdleLimit));
  EXPECT_TRUE(has_expired(session, kEarliest + kSessionIdleLimit + kLater));
}

TEST_F(WithdrawalsTest, AKeyWhoseFolderIsChangingOrHasMovedMayNothing) {
  sign_in(Path::parse("docs").value());
  EXPECT_FALSE(of(MountUse()));
  catalog::ScopeChange change{.id = "1",
                              .account = ada_,
                              .from = Path::parse("docs").value(),
                              .to = Path::parse("papers").value()};
  ASSERT_FALSE(run(catalog_->scope_changes().begin({change})).value().scopes.empty());
  ASSERT_TRUE(of(MountUse()));
  EXPECT_EQ(of(MountUse())->code, ErrorCode::not_found);
  auto follow = [](const Path&) { return Path::parse("papers").value(); };
  ASSERT_TRUE(run(catalog_->scope_changes().end(ada_, "1", follow)));
  EXPECT_EQ(of(MountUse())->code, ErrorCode::not_found);
}

}  // namespace
}  // namespace coffer::core
