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

TEST_P(KeysTest, UsesAreWritten) {
  const auto key = add_key(account_.id, 1);
  EXPECT_FALSE(run(catalog_->keys().list(account_.id, {})).value()[0].last_used_at);
  catalog_->keys().note_use(key.id);
  ASSERT_TRUE(run(catalog_->keys().flush_uses()));
  EXPECT_TRUE(run(catalog_->keys().list(account_.id, {})).value()[0].last_used_at);
}

}  // namespace
}  // namespace coffer::catalog
