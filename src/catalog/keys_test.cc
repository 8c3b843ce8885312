#include "catalog/keys.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

#include "async/run.h"
#include "catalog/database.h"
#include "catalog/migrations.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"

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

TEST_P(KeysTest, ExpiredOnesAreForgotten) {
  add_key(account_.id, 1);
  NewKey ending{account_.id, "ending", "00000000", std::nullopt, hash_of(2)};
  ending.expires_at = timestamp_of(1'000'000'000);
  ASSERT_TRUE(run(catalog_->keys().create(ending)));
  ASSERT_TRUE(run(catalog_->keys().forget_expired(timestamp_of(1'000'000'000))));
  EXPECT_TRUE(accepts(*catalog_, 2)) << "whether it has expired is looked at elsewhere";
  ASSERT_TRUE(run(catalog_->keys().forget_expired(timestamp_of(1'000'000'001))));
  EXPECT_FALSE(accepts(*catalog_, 2));
  EXPECT_TRUE(accepts(*catalog_, 1));
}

TEST_P(KeysTest, RevocationElsewhereCountsAtOnce) {
  Catalog* const other = beside();
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
  EXPECT_EQ(made->makers, std::vector{maker.id});
  ASSERT_TRUE(run(catalog_->keys().revoke(account_.id, maker.id, std::nullopt)));
  EXPECT_EQ(make(3).error().code, ErrorCode::unauthenticated);
  const auto left = run(catalog_->keys().list(account_.id, std::nullopt)).value();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left.front().makers, std::vector{maker.id});
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

TEST_P(KeysTest, AKeyThatRevokedItselfLeavesNoneBehindAndTakesNoOther) {
  const auto first = add_key(account_.id, 1);
  const auto leaked = add_key(account_.id, 2, {}, 1);
  add_key(account_.id, 3, {}, 2);
  const auto again = add_key(account_.id, 4, {}, 3);
  const auto good = add_key(account_.id, 5, {}, 1);
  ASSERT_TRUE(run(catalog_->keys().revoke(account_.id, leaked.id, std::nullopt)));
  EXPECT_EQ(again.makers.back(), first.id);
  ASSERT_TRUE(end_chain(account_.id, leaked.id));
  ASSERT_EQ(listed().size(), 2U);
  EXPECT_EQ(listed()[0].id, first.id);
  EXPECT_EQ(listed()[1].id, good.id);
}

TEST_P(KeysTest, EachOfALongChainEndsWithThoseBefore) {
  std::vector<Key> chain = {add_key(account_.id, 1)};
  for (std::uint8_t i = 1; i < 60; ++i) chain.push_back(add_key(account_.id, i + 1, {}, i));
  EXPECT_EQ(chain[kMostMakers].makers.size(), kMostMakers);
  EXPECT_EQ(chain[59].makers, chain[kMostMakers].makers);
  ASSERT_TRUE(end_chain(account_.id, chain[kMostMakers].id));
  EXPECT_EQ(listed().size(), 59U) << "what it made counts as made with the one before it";
  ASSERT_TRUE(end_chain(account_.id, chain[kMostMakers - 1].id));
  EXPECT_EQ(listed().size(), kMostMakers - 1);
  ASSERT_TRUE(end_chain(account_.id, chain[0].id));
  EXPECT_TRUE(listed().empty());
}

TEST_P(KeysTest, WordsThatAreNoIdEndNothing) {
  const auto first = add_key(account_.id, 1);
  add_key(account_.id, 2, {}, 1);
  const auto last = add_key(account_.id, 3, {}, 2);
  const std::string both = last.makers[0].value + " " + last.makers[1].value;
  using Words = std::vector<std::string>;
  for (const auto& word : Words{"", " ", "%", "_", first.id.value.substr(1), both}) {
    EXPECT_EQ(end_chain(account_.id, KeyId{word}).error().code, ErrorCode::not_found) << word;
  }
  EXPECT_EQ(listed().size(), 3U);
}

TEST_P(KeysTest, AnAccountHasSoManyKeys) {
  add_key(account_.id, 1);
  const auto add = [&](AccountId account, std::uint8_t hash) {
    NewKey key{.account = account, .name = "more", .preview = "…", .folder = {}};
    key.hash = hash_of(hash);
    return run(catalog_->keys().create(std::move(key), 2));
  };
  const auto second = add(account_.id, 2);
  ASSERT_TRUE(second);
  EXPECT_EQ(add(account_.id, 3).error().code, ErrorCode::rate_limited);
  EXPECT_TRUE(add(add_account("bob").id, 4));
  ASSERT_TRUE(run(catalog_->keys().revoke(account_.id, second->id, std::nullopt)));
  EXPECT_TRUE(add(account_.id, 3));
}

// As it was while a key had its nearest maker alone.
TEST_P(KeysTest, AnOlderCatalogGetsAllMakers) {
  const auto first = add_key(account_.id, 1);
  for (std::uint8_t i = 1; i < 5; ++i) add_key(account_.id, i + 1, {}, i);
  const auto before = listed();
  ASSERT_TRUE(run(catalog_->keys().revoke(account_.id, first.id, std::nullopt)));
  catalog_.reset();
  const auto database = Database::open(url_).value();
  auto job = [](sql::Connection& sql) -> Result<void> {
    sql.run_once("UPDATE api_keys SET makers = substr(makers, 1, 32)");
    sql.run_once("ALTER TABLE api_keys RENAME COLUMN makers TO made_by");
    sql.run_once("CREATE INDEX api_keys_by_maker ON api_keys (made_by)");
    const auto migration = std::ranges::find(migrations(), 18, &Migration::version);
    for (const auto statement : std::views::split(migration->sql, std::string_view(";\n"))) {
      if (!statement.empty()) sql.run_once(std::string(statement.begin(), statement.end()));
    }
    return {};
  };
  ASSERT_TRUE(run(database->run(Lane::write, Turn::server(), job)));
  catalog_ = open();
  const auto after = listed();
  ASSERT_EQ(after.size(), 4U);
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i].makers, before[i + 1].makers);
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
