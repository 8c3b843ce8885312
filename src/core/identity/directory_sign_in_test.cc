#include "core/identity/directory_sign_in.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "async/pool.h"
#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/testing/one_home.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

const std::string kDirectory = std::string(kDirectoryIssuer) + "dc=example,dc=org";
const std::string kPassword = "correct horse";

/// Knows one person.
class FakeDirectory final : public Directory {
 public:
  Task<Result<std::optional<ProvidedPerson>>> check(std::string, std::string password) override {
    ++asked;
    if (error) co_return fail(*error, "It is down.");
    if (password != kPassword) co_return std::nullopt;
    co_return std::optional(person);
  }
  Task<Result<bool>> check_subject(std::string subject, std::string password) override {
    ++asked;
    if (error) co_return fail(*error, "It is down.");
    co_return subject == person.identity.subject&& password == kPassword;
  }
  Task<Result<DirectoryProbe>> probe(std::optional<std::string> name) override {
    DirectoryProbe probe;
    if (name == person.name) probe.person = person;
    co_return probe;
  }
  const std::string& issuer() const override { return kDirectory; }

  ProvidedPerson person;
  std::optional<ErrorCode> error;
  int asked = 0;
};

class DirectorySignInTest : public testing::Test {
 protected:
  void SetUp() override {
    catalog::NewAccount root;
    root.name = "root";
    root.role = catalog::Role::admin;
    root.password_hash = "hash";
    root_ = run(catalog_->accounts().add(std::move(root))).value().id;
    directory_.person.identity = {kDirectory, "u-1"};
    directory_.person.name = "ann";
    options_.source = PeopleSource::directory;
  }
  DirectorySignIn& service() {
    if (!service_) {
      service_.emplace(*catalog_, PersonAccounts(*catalog_, accounts_, options_), directory_);
    }
    return *service_;
  }
  Result<std::optional<catalog::Account>> sign_in(const std::string& password = kPassword) {
    return run(service().sign_in("ann", password, "192.0.2.1"));
  }
  ErrorCode refusal() { return sign_in().error().code; }
  catalog::GroupWithMembers group(const std::string& id) {
    return run(catalog_->groups().find(id)).value();
  }

  catalog::ScratchCatalog catalog_;
  OneHome homes_{std::make_shared<storage::MemoryBackend>()};
  Pool pool_{1};
  PasswordQueue passwords_;
  AccountService accounts_{*catalog_, homes_, pool_, passwords_};
  FakeDirectory directory_;
  PersonAccountsOptions options_;
  std::optional<DirectorySignIn> service_;
  AccountId root_;
};

TEST_F(DirectorySignInTest, APersonIsKnownByTheSubjectAlone) {
  EXPECT_EQ(sign_in("wrong").value(), std::nullopt);
  const auto made = sign_in().value().value();
  EXPECT_EQ(made.name, "ann");
  directory_.person.name = "root";
  EXPECT_EQ(sign_in().value()->id, made.id);
  directory_.person.identity.subject = "u-2";
  EXPECT_EQ(sign_in().value()->name, "root2");
}

TEST_F(DirectorySignInTest, GroupsAndTheirQuotaFollowAsAtAProvider) {
  catalog::GroupChange wanted;
  wanted.name = "staff";
  wanted.from_provider = true;
  wanted.default_quota_bytes = std::optional<std::uint64_t>(1000);
  const auto staff = run(catalog_->groups().create(std::move(wanted))).value().group.id;
  directory_.person.groups = {"cn=staff,dc=example,dc=org", "staff"};
  EXPECT_EQ(sign_in().value()->quota_bytes, 1000U);
  EXPECT_EQ(group(staff).members, std::vector<std::string>{"ann"});
  directory_.person.groups.emplace();
  ASSERT_TRUE(sign_in());
  EXPECT_TRUE(group(staff).members.empty());
}

TEST_F(DirectorySignInTest, TheRoleOfItsPeopleIsNotChangedByHand) {
  options_.rules.admin_groups = {"admins"};
  directory_.person.groups = {"admins"};
  ASSERT_EQ(sign_in().value()->role, catalog::Role::admin);
  const auto refused = run(service().check_by_hand("ann", catalog::Role::user, std::nullopt));
  EXPECT_EQ(refused.error().message, "The directory gives this account its role: change it there.");
  EXPECT_TRUE(run(service().check_by_hand("ann", catalog::Role::admin, 1000)));
  EXPECT_TRUE(run(service().check_by_hand("root", catalog::Role::user, std::nullopt)));
  ASSERT_TRUE(run(catalog_->identities().link(root_, {"https://id.example.org", "s-1"})));
  EXPECT_TRUE(run(service().check_by_hand("root", catalog::Role::user, std::nullopt)))
      << "a provider knows it";
}

TEST_F(DirectorySignInTest, AProviderSaysNothingOfItsPeople) {
  ASSERT_TRUE(sign_in());
  PersonAccountsOptions options;
  options.rules.admin_groups = {"admins"};
  PersonAccounts provider(*catalog_, accounts_, options);
  EXPECT_TRUE(run(provider.check_by_hand("ann", catalog::Role::admin, std::nullopt)));
  ASSERT_TRUE(run(catalog_->identities().link(root_, {"https://id.example.org", "s-1"})));
  EXPECT_FALSE(run(provider.check_by_hand("root", catalog::Role::user, std::nullopt)));
}

TEST_F(DirectorySignInTest, OnlyThoseOfTheGroupsSignInAndAccountsMayHaveToBeThere) {
  options_.rules.allowed_groups = {"staff"};
  options_.creates = false;
  EXPECT_EQ(sign_in().error().message,
            "Only members of certain groups may sign in, and nothing is said of groups.");
  directory_.person.groups = {"staff"};
  EXPECT_EQ(sign_in().error().message,
            "No account here is linked with this sign-in: an administrator can link one.");
  EXPECT_EQ(run(catalog_->accounts().list()).value().size(), 1U);
  const auto bob = catalog_.add_account("bob", "").id;
  ASSERT_TRUE(run(catalog_->identities().link(bob, directory_.person.identity)));
  EXPECT_EQ(sign_in().value()->id, bob);
}

TEST_F(DirectorySignInTest, AnAccountWithItsOwnPasswordIsNotOpened) {
  ASSERT_TRUE(run(catalog_->identities().link(root_, directory_.person.identity)));
  EXPECT_EQ(sign_in().value(), std::nullopt);
}

TEST_F(DirectorySignInTest, ADirectoryThatIsDownIsLeftAlone) {
  const auto ann = sign_in().value()->id;
  directory_.error = ErrorCode::timed_out;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(refusal(), ErrorCode::unready);
  const int asked = directory_.asked;
  EXPECT_EQ(refusal(), ErrorCode::unready);
  EXPECT_EQ(run(service().is_password(ann, kPassword)).error().code, ErrorCode::unready);
  EXPECT_EQ(directory_.asked, asked);
  EXPECT_TRUE(run(service().knows(ann)).value());
}

TEST_F(DirectorySignInTest, ANameOfSeveralPeopleHoldsUpNobodyElse) {
  directory_.error = ErrorCode::refused;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(refusal(), ErrorCode::unready);
  directory_.error.reset();
  EXPECT_TRUE(sign_in());
}

TEST_F(DirectorySignInTest, ItsPeopleAreKnownAndNobodyElse) {
  const auto ann = sign_in().value()->id;
  EXPECT_TRUE(run(service().knows(ann)).value());
  EXPECT_FALSE(run(service().knows(root_)).value());
  EXPECT_TRUE(run(service().is_password(ann, kPassword)).value());
  EXPECT_FALSE(run(service().is_password(ann, "wrong")).value());
  EXPECT_FALSE(run(service().is_password(root_, kPassword)).value());
}

}  // namespace
}  // namespace coffer::core
