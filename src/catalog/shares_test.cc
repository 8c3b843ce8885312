#include "catalog/shares.h"

#include <atomic>
#include <thread>

#include "async/run.h"
#include "catalog/database.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

class SharesTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ada_ = add_account("ada").id;
    bob_ = add_account("bob").id;
  }
  Shares& shares() { return catalog_->shares(); }
  Share add(const std::string& name, std::vector<AccountId> accounts) {
    NewShare share{name, "", "/srv/" + name, false, false, std::move(accounts)};
    return run(shares().create(std::move(share))).value();
  }
  Share add_for_everyone(const std::string& name) {
    return run(shares().create(NewShare{name, "", "/srv/" + name, true, true, {}})).value();
  }
  std::vector<std::string> names_for(AccountId account) {
    std::vector<std::string> names;
    for (const Share& share : mounts_of(account)->shares) names.push_back(share.name);
    return names;
  }
  std::shared_ptr<const AccountMounts> mounts_of(AccountId account) {
    return run(catalog_->mounts().find(account)).value();
  }
  /// As an earlier version left it.
  void forget_resolved() {
    auto job = [](sql::Connection& sql) -> Result<void> {
      sql.run("UPDATE shares SET is_resolved = 0");
      return {};
    };
    catalog_.reset();
    ASSERT_TRUE(
        run(Database::open(url_).value()->run(Lane::write, Turn::server(), std::move(job))));
    catalog_ = open();
  }
  using Names = std::vector<std::string>;
  AccountId ada_;
  AccountId bob_;
};
COFFER_ON_BOTH_DATABASES(SharesTest);

TEST_P(SharesTest, KeepsWhatWasGiven) {
  const NewShare fresh{"It's \"ours\" :a %_\\ ü漢", "line\nof ; text", "/srv/a b'c", true, false,
                       {bob_, ada_, bob_}};
  const auto made = run(shares().create(fresh)).value();
  EXPECT_EQ(made.id.value.size(), 32u);
  const auto found = run(shares().find(made.id)).value();
  EXPECT_EQ(found.name, fresh.name);
  EXPECT_EQ(found.description, fresh.description);
  EXPECT_EQ(found.target, fresh.target);
  EXPECT_TRUE(found.read_only);
  EXPECT_FALSE(found.everyone);
  EXPECT_EQ(found.accounts, (std::vector{std::min(ada_, bob_), std::max(ada_, bob_)}));
  EXPECT_EQ(found.created_at, made.created_at);
  EXPECT_EQ(run(shares().find(ShareId{"none"})).error().code, ErrorCode::not_found);
}

TEST_P(SharesTest, ResolvesAFolderOfAnEarlierVersionOnce) {
  const Share share = add("a", {ada_});
  EXPECT_TRUE(run(shares().unresolved()).value().empty());
  forget_resolved();
  ShareChange change;
  change.description = "still not resolved";
  ASSERT_TRUE(run(shares().set(share.id, change)));
  const auto left = run(shares().unresolved()).value();
  ASSERT_EQ(left.size(), 1u);
  ASSERT_TRUE(run(shares().resolve(left.front(), "/srv/behind")));
  EXPECT_EQ(run(shares().find(share.id)).value().target, "/srv/behind");
  EXPECT_EQ(mounts_of(ada_)->shares.front().target, "/srv/behind");
  EXPECT_TRUE(run(shares().unresolved()).value().empty());
  ASSERT_TRUE(run(shares().resolve(left.front(), "/srv/elsewhere")));
  EXPECT_EQ(run(shares().find(share.id)).value().target, "/srv/behind");
}

TEST_P(SharesTest, WhatWasSetMeanwhileIsNotResolved) {
  const Share share = add("a", {ada_});
  forget_resolved();
  const auto left = run(shares().unresolved()).value();
  ShareChange change;
  change.target = "/srv/new";
  ASSERT_TRUE(run(shares().set(share.id, change)));
  ASSERT_TRUE(run(shares().resolve(left.front(), "/srv/behind")));
  EXPECT_EQ(run(shares().find(share.id)).value().target, "/srv/new");
}

TEST_P(SharesTest, ListsAllByName) {
  add("b", {ada_, bob_});
  add("C", {});
  add_for_everyone("a");
  const auto all = run(shares().list()).value();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "C");
  EXPECT_EQ(all[1].name, "a");
  EXPECT_EQ(all[2].name, "b");
  EXPECT_TRUE(all[0].accounts.empty());
  EXPECT_TRUE(all[1].accounts.empty());
  EXPECT_EQ(all[2].accounts.size(), 2u);
}

TEST_P(SharesTest, TellsAnAccountOfItsOwnAlone) {
  const auto both = add("both", {ada_, bob_});
  const auto of_ada = add("ada's", {ada_});
  add_for_everyone("all");
  add("nobody's", {});
  EXPECT_EQ(names_for(ada_), (Names{"ada's", "all", "both"}));
  EXPECT_EQ(names_for(bob_), (Names{"all", "both"}));
  EXPECT_EQ(mounts_of(bob_)->share(of_ada.id.value), nullptr);
  EXPECT_EQ(mounts_of(ada_)->share(of_ada.id.value)->target, "/srv/ada's");
  EXPECT_EQ(mounts_of(bob_)->share(both.id.value)->accounts, std::vector{bob_});
}

TEST_P(SharesTest, NamesAreUnique) {
  add("docs", {});
  const auto other = add("Docs", {});
  EXPECT_EQ(run(shares().create(NewShare{"docs", "", "/x", false, true, {}})).error().code,
            ErrorCode::exists);
  ShareChange change;
  change.name = "docs";
  EXPECT_EQ(run(shares().set(other.id, change)).error().code, ErrorCode::exists);
  change.name = "Docs";
  EXPECT_TRUE(run(shares().set(other.id, change)));
  EXPECT_EQ(run(shares().list()).value().size(), 2u);
}

TEST_P(SharesTest, OneOfManyWhoTakeANameAtOnceGetsIt) {
  const auto other = open();
  std::atomic<int> made = 0;
  std::atomic<int> refused = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      NewShare share{"same", "", "/srv", false, true, {}};
      const auto added = run((i % 2 ? *other : *catalog_).shares().create(share));
      if (added) ++made;
      if (!added && added.error().code == ErrorCode::exists) ++refused;
    });
  }
  threads.clear();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(refused, 7);
}

TEST_P(SharesTest, ChangesOnlyWhatIsGiven) {
  const auto share = add("docs", {ada_});
  ShareChange change;
  change.description = "ours";
  EXPECT_EQ(run(shares().set(share.id, change)).value().accounts, std::vector{ada_});
  change = {};
  change.accounts = std::vector{bob_};
  change.read_only = true;
  ASSERT_TRUE(run(shares().set(share.id, change)));
  const auto found = run(shares().find(share.id)).value();
  EXPECT_EQ(found.name, "docs");
  EXPECT_EQ(found.description, "ours");
  EXPECT_EQ(found.target, "/srv/docs");
  EXPECT_TRUE(found.read_only);
  EXPECT_EQ(found.accounts, std::vector{bob_});
  EXPECT_EQ(found.created_at, share.created_at);
  EXPECT_EQ(run(shares().set(ShareId{"none"}, change)).error().code, ErrorCode::not_found);
}

TEST_P(SharesTest, SharingWithEveryoneDropsTheAccounts) {
  const auto share = add("docs", {ada_});
  ShareChange change;
  change.everyone = true;
  EXPECT_TRUE(run(shares().set(share.id, change)).value().accounts.empty());
  EXPECT_EQ(names_for(bob_), Names{"docs"});
  change.everyone = false;
  EXPECT_EQ(run(shares().set(share.id, change)).error().code, ErrorCode::invalid);
  change.accounts = std::vector{ada_};
  ASSERT_TRUE(run(shares().set(share.id, change)));
  EXPECT_EQ(names_for(bob_), Names{});
  EXPECT_EQ(names_for(ada_), Names{"docs"});
}

TEST_P(SharesTest, AccountsAreAddedAndRemovedOneByOne) {
  const auto share = add("docs", {ada_});
  ShareChange change;
  change.added_accounts = {bob_, ada_};
  EXPECT_EQ(run(shares().set(share.id, change)).value().accounts.size(), 2u);
  change = {};
  change.removed_accounts = {ada_};
  EXPECT_EQ(run(shares().set(share.id, change)).value().accounts, std::vector{bob_});
  change.removed_accounts = {bob_};
  EXPECT_EQ(run(shares().set(share.id, change)).error().code, ErrorCode::invalid);
  change = {};
  change.everyone = true;
  ASSERT_TRUE(run(shares().set(share.id, change)));
  change = {};
  change.added_accounts = {ada_};
  EXPECT_EQ(run(shares().set(share.id, change)).error().code, ErrorCode::invalid);
  EXPECT_TRUE(run(shares().find(share.id)).value().everyone);
}

TEST_P(SharesTest, AnUnknownAccountChangesNothing) {
  const NewShare fresh{"docs", "", "/srv", false, false, {ada_, AccountId{1}}};
  EXPECT_EQ(run(shares().create(fresh)).error().code, ErrorCode::not_found);
  EXPECT_TRUE(run(shares().list()).value().empty());
  const auto share = add("docs", {ada_});
  ShareChange change;
  change.name = "other";
  change.accounts = std::vector{AccountId{1}};
  EXPECT_EQ(run(shares().set(share.id, change)).error().code, ErrorCode::not_found);
  EXPECT_EQ(names_for(ada_), Names{"docs"});
}

TEST_P(SharesTest, KeysThatGoWithATargetStayMakers) {
  const auto share = add("docs", {ada_, bob_});
  const auto top = "__adm_" + share.id.value;
  add_key(ada_, 1);
  add_key(ada_, 2, top, 1);
  add_key(ada_, 3, top + "/a", 2);
  add_key(ada_, 4, top + "/b", 3);
  const auto last = add_key(ada_, 5, "own", 4);
  const auto gone = add_key(bob_, 6, top);
  add_key(bob_, 7, top + "/a", 6);
  add_key(bob_, 8, "own", 7);
  ShareChange change;
  change.target = "/srv/elsewhere";
  ASSERT_TRUE(run(shares().set(share.id, change)));
  const auto left = [&](AccountId account) {
    return run(catalog_->keys().list(account, std::nullopt)).value();
  };
  ASSERT_EQ(left(ada_).size(), 2U);
  EXPECT_EQ(left(ada_)[1].id, last.id);
  EXPECT_EQ(left(ada_)[1].makers, last.makers);
  ASSERT_EQ(left(bob_).size(), 1U);
  EXPECT_EQ(left(bob_)[0].makers.back(), gone.id);
}

TEST_P(SharesTest, AnotherTargetRevokesTheKeysInTheShare) {
  const auto share = add("docs", {ada_, bob_});
  const auto top = "__adm_" + share.id.value;
  add_key(ada_, 1, top);
  add_key(bob_, 2, top + "/public");
  add_key(bob_, 3, "__adm_" + add("other", {bob_}).id.value + "/public");
  add_key(ada_, 4);
  Catalog* const other = beside();
  const auto accepted = [&] {
    std::vector<int> hashes;
    for (int i = 1; i <= 4; ++i) {
      const auto hash = hash_of(static_cast<std::uint8_t>(i));
      auto& keys = other->keys();
      if (keys.find_now(hash) || run(keys.find(hash))) hashes.push_back(i);
    }
    return hashes;
  };
  ShareChange change;
  change.name = "papers";
  change.target = share.target;
  ASSERT_TRUE(run(shares().set(share.id, change)));
  EXPECT_EQ(accepted(), (std::vector{1, 2, 3, 4}));
  change.target = "/srv/elsewhere";
  change.name = "other";
  EXPECT_EQ(run(shares().set(share.id, change)).error().code, ErrorCode::exists);
  EXPECT_EQ(accepted(), (std::vector{1, 2, 3, 4}));
  change.name = "papers";
  ASSERT_TRUE(run(shares().set(share.id, change)));
  EXPECT_EQ(accepted(), (std::vector{3, 4}));
}

TEST_P(SharesTest, RemovedOneIsGone) {
  const auto share = add("docs", {ada_});
  ASSERT_TRUE(run(shares().remove(share.id)));
  EXPECT_EQ(names_for(ada_), Names{});
  EXPECT_EQ(run(shares().remove(share.id)).error().code, ErrorCode::not_found);
  EXPECT_NE(add("docs", {ada_}).id, share.id);
}

TEST_P(SharesTest, StaysWhenItsLastAccountGoes) {
  const auto share = add("docs", {ada_});
  ASSERT_TRUE(run(catalog_->accounts().remove(ada_)));
  const auto found = run(shares().find(share.id)).value();
  EXPECT_TRUE(found.accounts.empty());
  EXPECT_FALSE(found.everyone);
  EXPECT_EQ(names_for(bob_), Names{});
}

}  // namespace
}  // namespace coffer::catalog
