#include "catalog/connectors.h"

#include "async/run.h"
#include "catalog/row_limits.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class ConnectorsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ada_ = add_account("ada").id;
    bob_ = add_account("bob").id;
  }
  Connectors& connectors() { return catalog_->connectors(); }
  static NewConnector named(AccountId account, const std::string& name) {
    return NewConnector{account, ConnectorKind::sftp, name, "", "", "{}", "", false};
  }
  Connector add(AccountId account, const std::string& name) {
    return run(connectors().create(named(account, name))).value();
  }
  AccountId ada_;
  AccountId bob_;
};
COFFER_ON_BOTH_DATABASES(ConnectorsTest);

TEST_P(ConnectorsTest, KeepsWhatWasGiven) {
  std::string settings = R"({"host":"a'b\"c","note":":name $1 ? ü漢😀 \n"})";
  while (settings.size() < 10 * 1024) settings += settings;
  for (const auto kind : {ConnectorKind::ftp, ConnectorKind::sftp, ConnectorKind::drive}) {
    const NewConnector fresh{ada_,
                             kind,
                             "It's " + std::string(word_of(kind)),
                             "line\nof ; text",
                             "sftp://me@host:22/a b",
                             settings,
                             "c2VhbGVk==",
                             true};
    const auto made = run(connectors().create(fresh)).value();
    const auto found = run(connectors().find(ada_, made.id)).value();
    EXPECT_EQ(found.id.value.size(), 32u);
    EXPECT_EQ(found.account, ada_);
    EXPECT_EQ(found.kind, kind);
    EXPECT_EQ(found.name, fresh.name);
    EXPECT_EQ(found.description, fresh.description);
    EXPECT_EQ(found.target, fresh.target);
    EXPECT_EQ(found.settings, settings);
    EXPECT_EQ(found.sealed_secret, fresh.sealed_secret);
    EXPECT_TRUE(found.read_only);
    EXPECT_EQ(found.created_at, made.created_at);
  }
}

TEST_P(ConnectorsTest, AnAccountHasOnlySoMany) {
  for (std::size_t i = 0; i < kMostConnectors; ++i) add(ada_, std::to_string(i));
  const auto refused = run(connectors().create(named(ada_, "more")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::rate_limited);
  EXPECT_EQ(refused.error().message,
            "There are 100 connectors: remove some that nobody needs any more.");
  add(bob_, "one");
  const auto first = run(connectors().list(ada_)).value().front();
  ASSERT_TRUE(run(connectors().remove(ada_, first.id)));
  add(ada_, "more");
}

TEST_P(ConnectorsTest, ListsByName) {
  add(ada_, "b");
  add(ada_, "a");
  add(bob_, "b");
  const auto own = run(connectors().list(ada_)).value();
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].name, "a");
  EXPECT_EQ(own[1].name, "b");
  const auto all = run(connectors().list_all()).value();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[1].account, std::min(ada_, bob_));
  EXPECT_EQ(all[2].account, std::max(ada_, bob_));
}

TEST_P(ConnectorsTest, NamesAreUniqueForAnAccount) {
  add(ada_, "nas");
  const auto other = add(ada_, "NAS");
  add(bob_, "nas");
  EXPECT_EQ(run(connectors().create(named(ada_, "nas"))).error().code, ErrorCode::exists);
  ConnectorChange change;
  change.name = "nas";
  EXPECT_EQ(run(connectors().set(ada_, other.id, change)).error().code, ErrorCode::exists);
  change.name = "NAS";
  EXPECT_TRUE(run(connectors().set(ada_, other.id, change)));
}

TEST_P(ConnectorsTest, ChangesOnlyWhatIsGiven) {
  const auto made = add(ada_, "nas");
  ConnectorChange change;
  change.settings = "{\"port\":2222}";
  change.sealed_secret = "bmV3";
  change.target = "sftp://host:2222";
  ASSERT_TRUE(run(connectors().set(ada_, made.id, change)));
  const auto found = run(connectors().find(ada_, made.id)).value();
  EXPECT_EQ(found.name, "nas");
  EXPECT_EQ(found.kind, ConnectorKind::sftp);
  EXPECT_EQ(found.settings, "{\"port\":2222}");
  EXPECT_EQ(found.sealed_secret, "bmV3");
  EXPECT_EQ(found.target, "sftp://host:2222");
  EXPECT_EQ(found.created_at, made.created_at);
}

TEST_P(ConnectorsTest, ReplacesASecretOnlyWhereItIsTheOneThatWasRead) {
  const auto made = add(ada_, "nas");
  ConnectorChange change;
  change.replaced_secret = made.sealed_secret;
  change.sealed_secret = "bmV3";
  ASSERT_TRUE(run(connectors().set(ada_, made.id, change)));
  change.sealed_secret = "b2xk";
  EXPECT_EQ(run(connectors().set(ada_, made.id, change)).error(), kConflict);
  EXPECT_EQ(run(connectors().find(ada_, made.id)).value().sealed_secret, "bmV3");
}

TEST_P(ConnectorsTest, LeadingElsewhereRevokesTheKeysInIt) {
  const auto made = add(ada_, "nas");
  const auto top = "__conn_" + made.id.value;
  add_key(ada_, 1, top);
  add_key(ada_, 2, top + "/public");
  add_key(ada_, 3, "__conn_" + add(ada_, "other").id.value + "/public");
  Catalog* const other = beside();
  const auto accepts = [&](std::uint8_t i) {
    auto& keys = other->keys();
    return keys.find_now(hash_of(i)) || run(keys.find(hash_of(i)));
  };
  ConnectorChange change;
  change.name = "Files";
  ASSERT_TRUE(run(connectors().set(ada_, made.id, change)));
  EXPECT_TRUE(accepts(1) && accepts(2) && accepts(3));
  change.target_changed = true;
  EXPECT_EQ(run(connectors().set(bob_, made.id, change)).error().code, ErrorCode::not_found);
  EXPECT_TRUE(accepts(1) && accepts(2) && accepts(3));
  ASSERT_TRUE(run(connectors().set(ada_, made.id, change)));
  EXPECT_FALSE(accepts(1));
  EXPECT_FALSE(accepts(2));
  EXPECT_TRUE(accepts(3));
}

TEST_P(ConnectorsTest, AnotherAccountsIsNotFound) {
  const auto made = add(ada_, "nas");
  EXPECT_EQ(run(connectors().find(bob_, made.id)).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(connectors().set(bob_, made.id, {})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(connectors().remove(bob_, made.id)).error().code, ErrorCode::not_found);
  EXPECT_TRUE(run(connectors().remove(ada_, made.id)));
  EXPECT_EQ(run(connectors().find(ada_, made.id)).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(connectors().remove(ada_, made.id)).error().code, ErrorCode::not_found);
}

TEST_P(ConnectorsTest, GoWithTheirAccount) {
  add(ada_, "nas");
  add(bob_, "nas");
  ASSERT_TRUE(run(catalog_->accounts().remove(ada_)));
  EXPECT_EQ(run(connectors().list_all()).value().size(), 1u);
  EXPECT_EQ(run(connectors().create(named(ada_, "nas"))).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace coffer::catalog
