#include "catalog/identities.h"

#include <fmt/format.h>

#include <algorithm>

#include "async/run.h"
#include "catalog/row_limits.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class IdentitiesTest : public CatalogTest {
 protected:
  static IdentityName name(const std::string& subject) {
    return {"https://id.example.org", subject};
  }
  std::optional<Account> sign_in(const std::string& subject) {
    return run(catalog_->identities().sign_in(name(subject))).value();
  }
  Result<Account> add(const std::string& account, const std::string& subject,
                      Role role = Role::user) {
    NewAccount wanted;
    wanted.name = account;
    wanted.role = role;
    return run(catalog_->identities().add_account(wanted, name(subject), "192.0.2.1"));
  }
  Result<Account> follow(const Account& account, ClaimedRights rights) {
    return run(
        catalog_->accounts().follow(account.id, rights, "https://id.example.org", "192.0.2.1"));
  }
  /// The newest event in the audit log.
  AuditEvent noted() { return run(catalog_->audit().list({})).value().at(0); }
  std::size_t noted_count() { return run(catalog_->audit().list({})).value().size(); }
  Asker session_of(const Account& account, std::uint8_t hash) {
    NewWebSession session;
    session.account = account.id;
    session.password_hash = account.password_hash;
    session.hash = hash_of(hash);
    EXPECT_TRUE(run(catalog_->web_sessions().create(session, 10)));
    return {{Credential::Kind::session, session.hash}};
  }
};
COFFER_ON_BOTH_DATABASES(IdentitiesTest);

TEST_P(IdentitiesTest, APersonGetsOneAccount) {
  EXPECT_EQ(sign_in("s-1"), std::nullopt);
  const auto made = add("ann", "s-1").value();
  EXPECT_EQ(noted().kind, AuditKind::account_created);
  EXPECT_EQ(noted().details, "role=user, quota=0, by https://id.example.org");
  EXPECT_EQ(noted().actor.address, "192.0.2.1");
  EXPECT_EQ(sign_in("s-1")->id, made.id);
  EXPECT_EQ(add("ann2", "s-1").value().id, made.id) << "two tabs that sign in first at once";
  EXPECT_EQ(run(catalog_->accounts().list()).value().size(), 1U);
  EXPECT_EQ(add("ann", "s-2").error().code, ErrorCode::exists);
  EXPECT_EQ(sign_in("s-2"), std::nullopt);
  EXPECT_EQ(sign_in("S-1"), std::nullopt);
  EXPECT_EQ(run(catalog_->identities().sign_in({"https://other.example.org", "s-1"})).value(),
            std::nullopt);
}

TEST_P(IdentitiesTest, ALinkedOneSignsIn) {
  const auto ann = add_account("ann");
  ASSERT_TRUE(run(catalog_->identities().link(ann.id, name("s-1"))));
  EXPECT_EQ(noted().kind, AuditKind::identity_linked);
  EXPECT_EQ(noted().subject, "ann");
  ASSERT_TRUE(run(catalog_->identities().link(ann.id, name("s-1"))));
  EXPECT_EQ(sign_in("s-1")->id, ann.id);
  const auto listed = run(catalog_->identities().list(ann.id)).value();
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].name, name("s-1"));
  EXPECT_GE(listed[0].last_at, listed[0].made_at);
  const auto bob = add_account("bob");
  EXPECT_EQ(run(catalog_->identities().link(bob.id, name("s-1"))).error().code, ErrorCode::exists);
  EXPECT_TRUE(run(catalog_->identities().list(bob.id)).value().empty());
  EXPECT_EQ(run(catalog_->identities().link(AccountId{7}, name("s-9"))).error().code,
            ErrorCode::not_found);
}

TEST_P(IdentitiesTest, AnAccountHasSoMany) {
  const auto ann = add_account("ann");
  for (std::size_t number = 0; number < kMostIdentities; ++number) {
    ASSERT_TRUE(run(catalog_->identities().link(ann.id, name(fmt::format("s-{}", number)))));
  }
  EXPECT_EQ(run(catalog_->identities().link(ann.id, name("one more"))).error().code,
            ErrorCode::rate_limited);
}

TEST_P(IdentitiesTest, TheLastWayToSignInStays) {
  const auto ann = add("ann", "s-1").value();
  const Asker asker = session_of(ann, 1);
  const auto id = run(catalog_->identities().list(ann.id)).value().at(0).id;
  EXPECT_EQ(run(catalog_->identities().unlink(ann.id, id, asker)).error().code,
            ErrorCode::conflict);
  ASSERT_TRUE(run(catalog_->identities().link(ann.id, name("s-2"), asker)));
  const auto bob = add_account("bob");
  EXPECT_EQ(run(catalog_->identities().unlink(bob.id, id)).error().code, ErrorCode::not_found);
  ASSERT_TRUE(run(catalog_->identities().unlink(ann.id, id, asker)));
  EXPECT_EQ(noted().kind, AuditKind::identity_unlinked);
  EXPECT_EQ(noted().actor.name, "ann");
  EXPECT_EQ(sign_in("s-1"), std::nullopt);
  const auto other = run(catalog_->identities().list(ann.id)).value().at(0).id;
  EXPECT_TRUE(run(catalog_->identities().unlink(ann.id, other))) << "the command line may";
}

TEST_P(IdentitiesTest, GoWithTheirAccount) {
  const auto ann = add("ann", "s-1").value();
  ASSERT_TRUE(run(catalog_->accounts().remove(ann.id)));
  EXPECT_EQ(sign_in("s-1"), std::nullopt);
  EXPECT_NE(add("ann", "s-1").value().id, ann.id);
}

TEST_P(IdentitiesTest, TheProviderSetsRoleAndQuota) {
  add_account("root");
  const auto ann = add("ann", "s-1").value();
  session_of(ann, 1);
  const auto before = noted_count();
  EXPECT_EQ(follow(ann, {}).value().role, Role::user);
  EXPECT_EQ(follow(ann, {Role::user, 0}).value().role, Role::user);
  EXPECT_EQ(noted_count(), before);
  EXPECT_TRUE(run(catalog_->web_sessions().find(hash_of(1))));
  const auto changed = follow(ann, {Role::admin, 1000}).value();
  EXPECT_EQ(changed.role, Role::admin);
  EXPECT_EQ(changed.quota_bytes, 1000U);
  EXPECT_EQ(noted().details, "role=admin, quota=1000, by https://id.example.org");
  EXPECT_EQ(noted().actor.name, "ann");
  EXPECT_FALSE(run(catalog_->web_sessions().find(hash_of(1)))) << "of before";
  EXPECT_EQ(run(catalog_->accounts().get(ann.id)).value().quota_bytes, 1000U);
}

TEST_P(IdentitiesTest, TheLastAdministratorStaysOne) {
  const auto ann = add("ann", "s-1", Role::admin).value();
  EXPECT_EQ(follow(ann, {Role::user, 5}).value().role, Role::admin);
  EXPECT_EQ(noted().details, "quota=5, by https://id.example.org");
  add("bob", "s-2", Role::admin).value();
  EXPECT_EQ(follow(ann, {Role::user, {}}).value().role, Role::user);
}

}  // namespace
}  // namespace coffer::catalog
