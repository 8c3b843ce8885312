#include "catalog/keys.h"

#include <set>
#include <string>

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

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
  std::vector<Key> listed() {
    return run(catalog_->keys().list(account_.id, std::nullopt)).value();
  }
  Result<void> end_chain(AccountId account, const KeyId& first) {
    return run(catalog_->keys().revoke(account, first, std::nullopt, std::nullopt, Made::ends));
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

TEST_P(KeysTest, ARevokedKeyMakesNone) {
  const auto maker = add_key(account_.id, 1);
  const auto make = [&](std::uint8_t hash) {
    NewKey key{.account = account_.id, .name = "made", .preview = "…", .folder = {}};
    key.hash = hash_of(hash);
    key.asker = Asker{Credential{Credential::Kind::key, hash_of(1)}};
    return run(catalog_->keys().create(std::move(key)));
  };
  const auto made = make(2);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->made_by, maker.id);
  ASSERT_TRUE(run(catalog_->keys().revoke(account_.id, maker.id, std::nullopt)));
  EXPECT_EQ(make(3).error().code, ErrorCode::unauthenticated);
  const auto left = run(catalog_->keys().list(account_.id, std::nullopt)).value();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left.front().made_by, maker.id);
}

TEST_P(KeysTest, WhatIsMadeWithAKeyEndsWithItHoweverTheChainWasCut) {
  const auto first = add_key(account_.id, 1);
  std::vector<Key> chain;
  for (std::uint8_t i = 1; i < 6; ++i) chain.push_back(add_key(account_.id, i + 1, {}, i));
  const auto beside = add_key(account_.id, 7);
  for (const std::size_t cut : {1U, 2U, 0U}) {
    ASSERT_TRUE(run(catalog_->keys().revoke(account_.id, chain[cut].id, std::nullopt)));
  }
  EXPECT_EQ(listed().size(), 4U);
  ASSERT_TRUE(end_chain(account_.id, first.id));
  ASSERT_EQ(listed().size(), 1U);
  EXPECT_EQ(listed().front().id, beside.id);
  for (std::uint8_t i = 1; i < 7; ++i) EXPECT_FALSE(accepts(*catalog_, i));
}

TEST_P(KeysTest, WhatAKeyThatIsGoneHasMadeIsEndedByItsId) {
  const auto first = add_key(account_.id, 1);
  add_key(account_.id, 2, {}, 1);
  const auto revoke = [&] {
    return run(catalog_->keys().revoke(account_.id, first.id, std::nullopt));
  };
  ASSERT_TRUE(revoke());
  EXPECT_EQ(revoke().error().code, ErrorCode::not_found);
  EXPECT_EQ(end_chain(add_account("bob").id, first.id).error().code, ErrorCode::not_found);
  EXPECT_TRUE(accepts(*catalog_, 2));
  ASSERT_TRUE(end_chain(account_.id, first.id));
  EXPECT_FALSE(accepts(*catalog_, 2));
  EXPECT_EQ(end_chain(account_.id, first.id).error().code, ErrorCode::not_found);
}

TEST_P(KeysTest, ALongChainIsKeptShortAndEndsWithItsFirst) {
  const auto first = add_key(account_.id, 1);
  std::set<std::string> makers;
  for (std::uint8_t i = 1; i < 60; ++i) {
    makers.insert(add_key(account_.id, i + 1, {}, i).made_by->value);
  }
  EXPECT_EQ(makers.size(), 15U);
  ASSERT_TRUE(end_chain(account_.id, first.id));
  EXPECT_TRUE(listed().empty());
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

TEST_P(KeysTest, UsesAreWritten) {
  const auto key = add_key(account_.id, 1);
  EXPECT_FALSE(run(catalog_->keys().list(account_.id, {})).value()[0].last_used_at);
  catalog_->keys().note_use(key.id);
  ASSERT_TRUE(run(catalog_->keys().flush_uses()));
  EXPECT_TRUE(run(catalog_->keys().list(account_.id, {})).value()[0].last_used_at);
}

}  // namespace
}  // namespace coffer::catalog
