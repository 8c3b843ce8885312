#include "catalog/keys.h"

#include "async/run.h"
#include "catalog/test_catalog.h"

namespace coffer::catalog {
namespace {

Path path(std::string_view text) {
  return Path::parse(text).value();
}

class KeysTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    account_ = add_account("ada");
  }
  bool accepts(Catalog& catalog, std::uint8_t hash) {
    return catalog.keys().find_now(hash_of(hash)) || run(catalog.keys().find(hash_of(hash)));
  }
  /// The scope that a request with the key has now.
  std::string scope_at(Catalog& catalog, std::uint8_t hash) {
    auto grant = catalog.keys().find_now(hash_of(hash));
    if (!grant) grant = run(catalog.keys().find(hash_of(hash))).value();
    return grant->key.folder->str();
  }
  Account account_;
};
COFFER_ON_BOTH_DATABASES(KeysTest);

TEST_P(KeysTest, GrantHoldsKeyAndAccount) {
  const auto key = add_key(account_.id, 1, "docs/a b");
  const auto grant = run(catalog_->keys().find(hash_of(1))).value();
  EXPECT_EQ(grant->key.id, key.id);
  EXPECT_EQ(grant->key.folder, path("docs/a b"));
  EXPECT_EQ(grant->account.name, "ada");
  EXPECT_EQ(catalog_->keys().find_now(hash_of(1)) != nullptr, GetParam() == Kind::sqlite);
  EXPECT_FALSE(accepts(*catalog_, 2));
}

TEST_P(KeysTest, RevocationElsewhereCountsAtOnce) {
  const auto other = open();
  for (std::uint8_t i = 0; i < 20; ++i) {
    const auto key = add_key(account_.id, i);
    ASSERT_TRUE(accepts(*catalog_, i));
    ASSERT_TRUE(accepts(*other, i));
    ASSERT_TRUE(run(other->keys().revoke(account_.id, key.id, std::nullopt)));
    EXPECT_FALSE(accepts(*catalog_, i));
    EXPECT_FALSE(accepts(*other, i));
  }
}

TEST_P(KeysTest, GrantsStayAtHandThroughQuotaChanges) {
  add_key(account_.id, 1);
  ASSERT_TRUE(run(catalog_->keys().find(hash_of(1))));
  ASSERT_TRUE(run(catalog_->ledger().reserve(account_.id, 5)));
  EXPECT_TRUE(accepts(*catalog_, 1));
}

TEST_P(KeysTest, DisabledAccountIsUnauthenticated) {
  add_key(account_.id, 1);
  ASSERT_TRUE(accepts(*catalog_, 1));
  AccountChange change;
  change.disabled = true;
  ASSERT_TRUE(run(catalog_->accounts().change(account_.id, change)));
  EXPECT_FALSE(accepts(*catalog_, 1));
  change.disabled = false;
  ASSERT_TRUE(run(catalog_->accounts().change(account_.id, change)));
  EXPECT_TRUE(accepts(*catalog_, 1));
}

TEST_P(KeysTest, RevokeStaysWithinAccountAndFolder) {
  const auto key = add_key(account_.id, 1, "docs2");
  const auto full = add_key(account_.id, 2);
  const auto other = add_account("bob");
  auto& keys = catalog_->keys();
  EXPECT_EQ(run(keys.revoke(other.id, key.id, {})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(keys.revoke(account_.id, key.id, path("docs"))).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(keys.revoke(account_.id, full.id, Path())).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(keys.list(account_.id, path("docs"))).value().size(), 0u);
  EXPECT_EQ(run(keys.list(account_.id, Path())).value().size(), 1u);
  EXPECT_EQ(run(keys.list(account_.id, {})).value().size(), 2u);
  EXPECT_TRUE(run(keys.revoke(account_.id, key.id, path("docs2"))));
}

TEST_P(KeysTest, ScopesFollowTheirFolderAndNoOther) {
  add_key(account_.id, 1, "a%");
  add_key(account_.id, 2, "a%/é/x");
  add_key(account_.id, 3, "a_b/x");
  add_key(account_.id, 4, "axb/x");
  add_key(account_.id, 5, "A%/x");
  auto& keys = catalog_->keys();
  ASSERT_TRUE(run(keys.move_scopes(account_.id, path("a%"), path("new/é"))));
  ASSERT_TRUE(run(keys.move_scopes(account_.id, path("a_b"), path("moved"))));
  const auto scope = [&](std::uint8_t i) {
    return run(keys.find(hash_of(i))).value()->key.folder->str();
  };
  EXPECT_EQ(scope(1), "new/é");
  EXPECT_EQ(scope(2), "new/é/é/x");
  EXPECT_EQ(scope(3), "moved/x");
  EXPECT_EQ(scope(4), "axb/x");
  EXPECT_EQ(scope(5), "A%/x");
}

TEST_P(KeysTest, RevokesScopedKeysByComponents) {
  add_key(account_.id, 1, "a_b");
  add_key(account_.id, 2, "a_b/é/x");
  add_key(account_.id, 3, "axb/x");
  add_key(account_.id, 4, "A_B");
  add_key(account_.id, 5);
  auto& keys = catalog_->keys();
  EXPECT_TRUE(run(keys.any_scoped(account_.id, path("a_b/é"))).value());
  EXPECT_FALSE(run(keys.any_scoped(account_.id, path("a_"))).value());
  ASSERT_TRUE(run(keys.revoke_scoped(account_.id, path("a_b"))));
  EXPECT_FALSE(accepts(*catalog_, 1));
  EXPECT_FALSE(accepts(*catalog_, 2));
  EXPECT_TRUE(accepts(*catalog_, 3));
  EXPECT_TRUE(accepts(*catalog_, 4));
  EXPECT_TRUE(accepts(*catalog_, 5));
}

TEST_P(KeysTest, WhatHappensInAShareConcernsTheKeysOfAll) {
  const auto bob = add_account("bob").id;
  add_key(account_.id, 1, "__adm_x/docs/sub");
  add_key(bob, 2, "__adm_x/docs");
  add_key(bob, 3, "__adm_x2/docs");
  add_key(bob, 4);
  const auto other = open();
  for (std::uint8_t i = 1; i <= 4; ++i) ASSERT_TRUE(accepts(*other, i));
  auto& keys = catalog_->keys();
  EXPECT_TRUE(run(keys.any_scoped(bob, path("__adm_x/docs/sub"))).value());
  EXPECT_FALSE(run(keys.any_scoped(account_.id, path("__adm_x/doc"))).value());
  ASSERT_TRUE(run(keys.move_scopes(account_.id, path("__adm_x/docs"), path("__adm_y/new"))));
  EXPECT_EQ(scope_at(*other, 1), "__adm_y/new/sub");
  EXPECT_EQ(scope_at(*other, 2), "__adm_y/new");
  EXPECT_EQ(scope_at(*other, 3), "__adm_x2/docs");
  ASSERT_TRUE(run(keys.revoke_scoped(account_.id, path("__adm_y/new"))));
  EXPECT_FALSE(accepts(*other, 1));
  EXPECT_FALSE(accepts(*other, 2));
  EXPECT_TRUE(accepts(*other, 3));
  EXPECT_TRUE(accepts(*other, 4));
}

TEST_P(KeysTest, WhatHappensElsewhereConcernsOneAccountsKeys) {
  const auto bob = add_account("bob").id;
  auto& keys = catalog_->keys();
  std::uint8_t mine = 1;
  for (const std::string top : {"docs", "__conn_x"}) {
    const auto his = static_cast<std::uint8_t>(mine + 10);
    add_key(bob, his, top + "/a");
    EXPECT_FALSE(run(keys.any_scoped(account_.id, path(top))).value());
    EXPECT_TRUE(run(keys.any_scoped(bob, path(top))).value());
    add_key(account_.id, mine, top + "/a");
    ASSERT_TRUE(run(keys.move_scopes(account_.id, path(top + "/a"), path("__adm_x/a"))));
    EXPECT_EQ(scope_at(*catalog_, mine), "__adm_x/a");
    EXPECT_EQ(scope_at(*catalog_, his), top + "/a");
    ASSERT_TRUE(run(keys.revoke_scoped(account_.id, path(top))));
    EXPECT_TRUE(accepts(*catalog_, his));
    ++mine;
  }
}

TEST_P(KeysTest, OutOfAShareTheKeysOfOthersDoNotFollow) {
  const auto bob = add_account("bob").id;
  std::uint8_t mine = 1;
  for (const std::string to : {"docs/a", "__conn_x/a"}) {
    const auto his = static_cast<std::uint8_t>(mine + 10);
    add_key(account_.id, mine, "__adm_x/a/sub");
    add_key(bob, his, "__adm_x/a/sub");
    ASSERT_TRUE(accepts(*catalog_, his));
    ASSERT_TRUE(run(catalog_->keys().move_scopes(account_.id, path("__adm_x/a"), path(to))));
    EXPECT_EQ(scope_at(*catalog_, mine), to + "/sub");
    EXPECT_FALSE(accepts(*catalog_, his));
    ++mine;
  }
  EXPECT_TRUE(run(catalog_->keys().list(bob, {})).value().empty());
}

TEST_P(KeysTest, UsesAreWritten) {
  const auto key = add_key(account_.id, 1);
  EXPECT_FALSE(run(catalog_->keys().list(account_.id, {})).value()[0].last_used_at);
  catalog_->keys().note_use(key.id);
  ASSERT_TRUE(run(catalog_->keys().flush_uses()));
  EXPECT_TRUE(run(catalog_->keys().list(account_.id, {})).value()[0].last_used_at);
}

}  // namespace
}  // namespace coffer::catalog
