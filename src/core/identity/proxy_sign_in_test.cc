#include "core/identity/proxy_sign_in.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/pool.h"
#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/one_home.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

class ProxySignInTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = add("root", catalog::Role::admin);
    options_.source = PeopleSource::proxy;
  }
  AccountId add(const std::string& name, catalog::Role role = catalog::Role::user) {
    catalog::NewAccount account;
    account.name = name;
    account.role = role;
    account.password_hash = "hash";
    return run(catalog_->accounts().add(std::move(account))).value().id;
  }
  ProxySignIn service() {
    return ProxySignIn(*catalog_, PersonAccounts(*catalog_, accounts_, options_), sign_in_);
  }
  Result<SignedIn> sign_in(const std::string& user, std::optional<std::string> groups = {}) {
    return run(service().sign_in({user, std::move(groups)}, {"192.0.2.1", "Browser"}));
  }
  std::string name_after(const std::string& user) {
    return sign_in(user).value().principal.account->name;
  }

  catalog::ScratchCatalog catalog_;
  OneHome homes_{std::make_shared<storage::MemoryBackend>()};
  Pool pool_{1};
  PasswordQueue passwords_;
  PasswordChecks checks_{*catalog_};
  SignInService sign_in_{*catalog_, passwords_, checks_};
  AccountService accounts_{*catalog_, homes_, pool_, passwords_};
  PersonAccountsOptions options_;
  AccountId root_;
};

TEST(ProxyWordsTest, OnlyOneWholeNameIsAPerson) {
  const std::string longest(255, 'a');
  EXPECT_EQ(person_of({"Ann@example.org"})->identity.subject, "Ann@example.org");
  EXPECT_TRUE(person_of({longest}));
  for (const std::string& user :
       {std::string(), std::string("ann,root"), std::string("ann, root"), std::string("ann\troot"),
        std::string("ann\0", 4), std::string(" ann"), std::string("\xff"), longest + "a"}) {
    const auto person = person_of({user});
    ASSERT_FALSE(person) << user;
    EXPECT_EQ(person.error().code, ErrorCode::invalid);
  }
}

TEST(ProxyWordsTest, GroupsAreSeparatedByCommas) {
  using Groups = std::optional<std::vector<std::string>>;
  EXPECT_EQ(person_of({"ann"})->groups, Groups());
  EXPECT_EQ(person_of({"ann", ""})->groups, Groups(std::in_place));
  EXPECT_EQ(person_of({"ann", " staff ,, file admins"})->groups,
            (Groups({"staff", "file admins"})));
  EXPECT_FALSE(person_of({"ann", std::string(257, 'g')}));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "g,";
  EXPECT_TRUE(person_of({"ann", many}));
  EXPECT_FALSE(person_of({"ann", many + "g"}));
}

TEST_F(ProxySignInTest, AnAccountOfTheNameIsNotThePersons) {
  add("ann");
  EXPECT_EQ(name_after("ann"), "ann2");
  EXPECT_EQ(name_after("ann"), "ann2") << "the same person again";
  EXPECT_EQ(name_after("root"), "root2");
}

TEST_F(ProxySignInTest, ALinkedAccountIsThePersonsAndNobodyElses) {
  ASSERT_TRUE(run(catalog_->identities().link(root_, {std::string(kProxyIssuer), "boss"})));
  EXPECT_EQ(name_after("boss"), "root");
  EXPECT_EQ(name_after("BOSS"), "boss");
}

TEST_F(ProxySignInTest, SessionsSayThatAProxyBeganThem) {
  const auto signed_in = sign_in("ann").value();
  EXPECT_EQ(signed_in.principal.session->method, catalog::SignInMethod::proxy);
  EXPECT_EQ(signed_in.principal.session->subject, "ann");
  EXPECT_TRUE(check_confirmed(signed_in.principal));
}

TEST_F(ProxySignInTest, RefusalsAreNoted) {
  options_.rules.allowed_groups = {"staff"};
  EXPECT_EQ(sign_in("ann", "guests").error().code, ErrorCode::forbidden);
  EXPECT_EQ(run(catalog_->audit().list({})).value().at(0).details,
            "Only members of certain groups may sign in.");
  EXPECT_TRUE(sign_in("ann", "guests,staff"));
  catalog::AccountChange change;
  change.disabled = true;
  const auto ann = run(catalog_->accounts().find(catalog::Turn::server(), "ann")).value();
  ASSERT_TRUE(run(catalog_->accounts().change(ann.id, std::move(change))));
  EXPECT_EQ(sign_in("ann", "staff").error().code, ErrorCode::forbidden);
  EXPECT_EQ(sign_in("a,b").error().code, ErrorCode::invalid);
}

TEST_F(ProxySignInTest, RoleFollowsTheGroupsAndIsNotChangedByHand) {
  options_.rules.admin_groups = {"admins"};
  EXPECT_EQ(sign_in("ann", "admins")->principal.account->role, catalog::Role::admin);
  const auto refused = run(service().check_by_hand("ann", catalog::Role::user, std::nullopt));
  EXPECT_EQ(refused.error().message, "The proxy gives this account its role: change it there.");
  EXPECT_EQ(sign_in("ann")->principal.account->role, catalog::Role::admin) << "nothing is said";
  EXPECT_EQ(sign_in("ann", "")->principal.account->role, catalog::Role::user);
}

TEST_F(ProxySignInTest, ASessionIsConfirmedByItsOwnPersonAlone) {
  const auto ann = sign_in("ann").value();
  ASSERT_TRUE(sign_in("bob"));
  EXPECT_TRUE(run(service().confirm(ann.principal, {"ann"})));
  EXPECT_EQ(run(service().confirm(ann.principal, {"bob"})).error().code, ErrorCode::forbidden);
  EXPECT_EQ(run(service().confirm(ann.principal, {"stranger"})).error().code, ErrorCode::forbidden);
  options_.rules.allowed_groups = {"staff"};
  EXPECT_EQ(run(service().confirm(ann.principal, {"ann"})).error().code, ErrorCode::forbidden);
}

}  // namespace
}  // namespace coffer::core
