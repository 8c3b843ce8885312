#include "core/identity/person_accounts.h"

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

class PersonAccountsTest : public testing::Test {
 protected:
  void SetUp() override {
    person_.identity = {"https://id.example.org", "s-1"};
    person_.name = "ann";
    person_.display_name = "Ann Example";
  }
  AccountId add(const std::string& name, catalog::Role role = catalog::Role::user) {
    catalog::NewAccount account;
    account.name = name;
    account.role = role;
    account.password_hash = "hash";
    return run(catalog_->accounts().add(std::move(account))).value().id;
  }
  PersonAccounts people() { return PersonAccounts(*catalog_, accounts_, options_); }
  ForeseenSignIn foreseen() { return run(people().foresee(person_)).value(); }
  Result<catalog::Account> signed_in() { return run(people().of(person_, "192.0.2.1")); }
  void add_group(const std::string& name, std::uint64_t quota_bytes) {
    catalog::GroupChange wanted;
    wanted.name = name;
    wanted.from_provider = true;
    wanted.default_quota_bytes = std::optional<std::uint64_t>(quota_bytes);
    ASSERT_TRUE(run(catalog_->groups().create(std::move(wanted))));
  }
  /// What a look at a sign-in must not change.
  std::size_t rows() {
    return run(catalog_->accounts().list()).value().size() +
           run(catalog_->audit().list({})).value().size();
  }

  catalog::ScratchCatalog catalog_;
  OneHome homes_{std::make_shared<storage::MemoryBackend>()};
  Pool pool_{1};
  PasswordQueue passwords_;
  AccountService accounts_{*catalog_, homes_, pool_, passwords_};
  PersonAccountsOptions options_;
  ProvidedPerson person_;
};

TEST_F(PersonAccountsTest, WhatIsForeseenIsWhatHappens) {
  add("root", catalog::Role::admin);
  add("ann");
  add_group("staff", 1000);
  add_group("others", 0);
  options_.rules.admin_groups = {"admins"};
  person_.groups = {"staff", "admins", "unknown"};
  const auto before = rows();
  const auto seen = foreseen();
  EXPECT_EQ(rows(), before);
  EXPECT_EQ(seen.refusal, std::nullopt);
  EXPECT_TRUE(seen.is_new);
  EXPECT_EQ(seen.namesake, "ann");
  EXPECT_EQ(seen.groups, std::vector<std::string>{"staff"});
  const auto made = signed_in().value();
  EXPECT_EQ(seen.account->name, "ann2");
  EXPECT_EQ(made.name, seen.account->name);
  EXPECT_EQ(made.display_name, seen.account->display_name);
  EXPECT_EQ(made.role, seen.account->role);
  EXPECT_EQ(made.quota_bytes, seen.account->quota_bytes);
}

TEST_F(PersonAccountsTest, AKnownPersonHasTheAccountAsTheRulesWouldMakeIt) {
  add("root", catalog::Role::admin);
  const auto made = signed_in().value();
  options_.rules.admin_groups = {"admins"};
  options_.rules.group_quotas = {{"staff", 500}};
  person_.name = "another";
  person_.groups = {"staff", "admins"};
  const auto seen = foreseen();
  EXPECT_FALSE(seen.is_new);
  EXPECT_EQ(seen.account->id, made.id);
  EXPECT_EQ(seen.account->role, catalog::Role::admin);
  EXPECT_EQ(seen.account->quota_bytes, 500U);
  EXPECT_EQ(run(catalog_->accounts().get(made.id)).value().role, catalog::Role::user);
}

TEST_F(PersonAccountsTest, TheLastAdministratorStaysOneAlsoInWhatIsForeseen) {
  const auto root = add("root", catalog::Role::admin);
  ASSERT_TRUE(run(catalog_->identities().link(root, person_.identity)));
  options_.rules.admin_groups = {"admins"};
  person_.groups.emplace();
  EXPECT_EQ(foreseen().account->role, catalog::Role::admin);
}

TEST_F(PersonAccountsTest, RefusalsAreForeseen) {
  EXPECT_EQ(foreseen().refusal, "This server is not set up yet.");
  add("root", catalog::Role::admin);
  options_.creates = false;
  EXPECT_TRUE(foreseen().refusal);
  EXPECT_FALSE(foreseen().account);
  options_.creates = true;
  options_.rules.allowed_groups = {"staff"};
  EXPECT_EQ(foreseen().refusal, signed_in().error().message);
  person_.groups = {"staff"};
  const auto made = signed_in().value();
  catalog::AccountChange change;
  change.disabled = true;
  ASSERT_TRUE(run(catalog_->accounts().change(made.id, std::move(change))));
  EXPECT_EQ(foreseen().refusal, "The account here is disabled.");
}

}  // namespace
}  // namespace coffer::core
