#include "core/identity/provider_sign_in.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "async/pool.h"
#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/connectors/drive_logins.h"
#include "core/testing/one_home.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

const std::string kIssuer = "https://id.example.org";
const std::string kRedirect = "https://files.example.org/api/v2/session/oidc/callback";

/// Says what a test wants.
class FakeProvider final : public IdentityProvider {
 public:
  Task<Result<std::string>> authorization_address(ProviderRequest request) override {
    asked = std::move(request);
    if (is_down) co_return fail(ErrorCode::unavailable, "It is down.");
    co_return kIssuer + "/auth";
  }
  Task<Result<ProvidedPerson>> exchange(ProviderAnswer answer) override {
    answered = std::move(answer);
    if (is_down) co_return fail(ErrorCode::unavailable, "It is down.");
    if (!person) co_return fail(ErrorCode::unauthenticated, "The provider's token is malformed.");
    co_return *person;
  }
  Task<Result<ProviderLogout>> read_logout_token(std::string token) override {
    if (!logout) co_return fail(ErrorCode::unauthenticated, token);
    co_return *logout;
  }
  Task<Result<std::string>> logout_address(std::string return_to, std::string proof) override {
    co_return kIssuer + "/end?" + return_to + proof;
  }

  Task<Result<ProviderProbe>> probe() override { co_return ProviderProbe{}; }
  Result<ProvidedPerson> describe(const boost::json::object&) const override { return *person; }

  ProviderRequest asked;
  ProviderAnswer answered;
  std::optional<ProvidedPerson> person;
  std::optional<ProviderLogout> logout;
  bool is_down = false;
};

class ProviderSignInTest : public testing::Test {
 protected:
  void SetUp() override {
    catalog::NewAccount root;
    root.name = "root";
    root.role = catalog::Role::admin;
    root.password_hash = "hash";
    root_ = run(catalog_->accounts().add(std::move(root))).value().id;
    options_.redirect = kRedirect;
    options_.home = "https://files.example.org/";
    provider_.person = person("s-1", "ann");
  }
  static ProvidedPerson person(const std::string& subject, const std::string& name) {
    ProvidedPerson person;
    person.identity = {kIssuer, subject};
    person.session = "sid-" + subject;
    person.name = name;
    return person;
  }
  ProviderSignIn& service() {
    if (!service_) {
      service_.emplace(*catalog_, accounts_, sign_in_, sealer_, provider_, options_);
    }
    return *service_;
  }
  BegunProviderSignIn begin(const std::string& path = "/files") {
    return run(service().begin(path, "", {"192.0.2.1", "Browser"})).value();
  }
  Result<EndedProviderSignIn> end(const BegunProviderSignIn& begun, ProviderCallback callback) {
    return run(service().end(begun.cookie, std::move(callback), {"192.0.2.1", "Browser"}));
  }
  Result<EndedProviderSignIn> sign_in() {
    const auto begun = begin();
    return end(begun, {state_of(begun.cookie), "code-1"});
  }
  catalog::Account account_of(const EndedProviderSignIn& ended) {
    return *ended.session->principal.account;
  }
  catalog::Account named(const std::string& name) {
    return run(catalog_->accounts().find(catalog::Turn::server(), name)).value();
  }
  catalog::AuditEvent noted() { return run(catalog_->audit().list({})).value().at(0); }
  std::size_t accounts() { return run(catalog_->accounts().list()).value().size(); }
  /// The principal of a session that was opened by a password.
  SignedIn signed_in(AccountId id) {
    const auto account = run(catalog_->accounts().get(id)).value();
    return run(sign_in_.open_session(account, {}, std::nullopt, {"192.0.2.1", "Browser"})).value();
  }

  catalog::ScratchCatalog catalog_;
  OneHome homes_{std::make_shared<storage::MemoryBackend>()};
  Pool pool_{1};
  PasswordQueue passwords_;
  PasswordChecks checks_{*catalog_};
  SignInService sign_in_{*catalog_, passwords_, checks_};
  AccountService accounts_{*catalog_, homes_, pool_, passwords_};
  Sealer sealer_{Sealer::make_key()};
  FakeProvider provider_;
  ProviderSignInOptions options_;
  std::optional<ProviderSignIn> service_;
  AccountId root_;
};

TEST_F(ProviderSignInTest, ANewPersonGetsAnAccount) {
  const auto begun = begin("/files/photos");
  EXPECT_EQ(begun.address, kIssuer + "/auth");
  EXPECT_EQ(provider_.asked.redirect, kRedirect);
  EXPECT_EQ(provider_.asked.state, state_of(begun.cookie));
  const auto ended = end(begun, {provider_.asked.state, "code-1", kIssuer}).value();
  EXPECT_EQ(ended.return_path, "/files/photos");
  EXPECT_EQ(account_of(ended).name, "ann");
  EXPECT_EQ(account_of(ended).password_hash, "");
  EXPECT_EQ(ended.session->principal.session->method, catalog::SignInMethod::oidc);
  EXPECT_EQ(ended.session->principal.session->issuer, kIssuer);
  EXPECT_EQ(ended.session->principal.session->subject, "s-1");
  EXPECT_EQ(ended.session->principal.session->provider_session, "sid-s-1");
  EXPECT_EQ(provider_.answered.code, "code-1");
  EXPECT_EQ(provider_.answered.issuer, kIssuer);
  EXPECT_EQ(provider_.answered.redirect, kRedirect);
  EXPECT_EQ(provider_.answered.nonce, provider_.asked.nonce);
  EXPECT_EQ(challenge_of(provider_.answered.verifier), provider_.asked.challenge);
}

TEST_F(ProviderSignInTest, APersonIsKnownByTheSubjectAlone) {
  const auto first = account_of(sign_in().value());
  provider_.person = person("s-1", "renamed");
  EXPECT_EQ(account_of(sign_in().value()).id, first.id);
  provider_.person = person("s-2", "ann");
  const auto other = account_of(sign_in().value());
  EXPECT_NE(other.id, first.id);
  EXPECT_EQ(other.name, "ann2");
  provider_.person = person("s-3", "root");
  EXPECT_EQ(account_of(sign_in().value()).name, "root2") << "a name opens no account";
}

TEST_F(ProviderSignInTest, ASignInIsEndedOnceInItsBrowser) {
  const auto begun = begin();
  const auto other = begin();
  const std::string state = state_of(begun.cookie);
  EXPECT_EQ(end(other, {state, "code"}).error().code, ErrorCode::unauthenticated);
  EXPECT_EQ(end({"", ""}, {state, "code"}).error().code, ErrorCode::unauthenticated);
  EXPECT_EQ(end(begun, {"", "code"}).error().code, ErrorCode::unauthenticated);
  EXPECT_EQ(noted().kind, catalog::AuditKind::session_refused);
  EXPECT_EQ(noted().actor.address, "192.0.2.1");
  EXPECT_TRUE(end(begun, {state, "code"}));
  const auto again = end(begun, {state, "code"});
  ASSERT_FALSE(again);
  EXPECT_EQ(noted().details, "The sign-in was ended before: begin it again.");
}

TEST_F(ProviderSignInTest, AFlowOfAnotherServerOrPurposeIsNone) {
  const Sealer other(Sealer::make_key());
  ProviderFlow flow;
  flow.expires_at = now() + std::chrono::minutes(5);
  EXPECT_TRUE(open_flow(seal_flow(flow, sealer_), sealer_));
  EXPECT_FALSE(open_flow(seal_flow(flow, other), sealer_));
  EXPECT_FALSE(open_flow(sealer_.seal(R"({"purpose":"login to a drive"})"), sealer_));
  EXPECT_FALSE(open_flow(sealer_.seal("[]"), sealer_));
  flow.expires_at = now() - std::chrono::seconds(1);
  EXPECT_FALSE(open_flow(seal_flow(flow, sealer_), sealer_));
}

TEST_F(ProviderSignInTest, WhatTheProviderDoesNotProveOpensNothing) {
  provider_.person.reset();
  EXPECT_EQ(sign_in().error().code, ErrorCode::unauthenticated);
  EXPECT_EQ(noted().details, "The provider's token is malformed.");
  const auto begun = begin();
  EXPECT_EQ(end(begun, {state_of(begun.cookie), ""}).error().code, ErrorCode::unauthenticated);
  provider_.is_down = true;
  EXPECT_EQ(run(service().begin("/", "", {"192.0.2.1", "Browser"})).error().code,
            ErrorCode::unavailable);
  EXPECT_EQ(accounts(), 1U);
}

TEST_F(ProviderSignInTest, OnlyThoseOfTheGroupsMaySignIn) {
  options_.rules.allowed_groups = {"staff"};
  provider_.person->groups = {"guests"};
  EXPECT_EQ(sign_in().error().code, ErrorCode::forbidden);
  EXPECT_EQ(noted().details, "Only members of certain groups may sign in.");
  EXPECT_EQ(accounts(), 1U);
  provider_.person->groups = {"staff"};
  EXPECT_TRUE(sign_in());
  provider_.person->groups.reset();
  EXPECT_EQ(sign_in().error().code, ErrorCode::forbidden);
}

TEST_F(ProviderSignInTest, RoleAndQuotaFollowTheProvider) {
  options_.rules.admin_groups = {"admins"};
  options_.rules.group_quotas = {{"staff", 1000}};
  provider_.person->groups = {"staff"};
  auto account = account_of(sign_in().value());
  EXPECT_EQ(account.role, catalog::Role::user);
  EXPECT_EQ(account.quota_bytes, 1000U);
  provider_.person->groups = {"admins"};
  account = account_of(sign_in().value());
  EXPECT_EQ(account.role, catalog::Role::admin);
  EXPECT_EQ(account.quota_bytes, 1000U);
  provider_.person->groups.reset();
  EXPECT_EQ(account_of(sign_in().value()).role, catalog::Role::admin) << "nothing was said";
  provider_.person->groups.emplace();
  EXPECT_EQ(account_of(sign_in().value()).role, catalog::Role::user);
}

TEST_F(ProviderSignInTest, AccountsMayHaveToBeThere) {
  options_.creates_accounts = false;
  EXPECT_EQ(sign_in().error().code, ErrorCode::forbidden);
  ASSERT_TRUE(run(catalog_->identities().link(root_, {kIssuer, "s-1"})));
  EXPECT_EQ(account_of(sign_in().value()).name, "root");
  provider_.person = person("s-2", "root");
  EXPECT_EQ(sign_in().error().code, ErrorCode::forbidden);
}

TEST_F(ProviderSignInTest, ADisabledAccountStaysClosed) {
  const auto account = account_of(sign_in().value());
  catalog::AccountChange change;
  change.disabled = true;
  ASSERT_TRUE(run(catalog_->accounts().change(account.id, std::move(change))));
  EXPECT_EQ(sign_in().error().message, "The account here is disabled.");
}

TEST_F(ProviderSignInTest, SetUpComesFirst) {
  ASSERT_TRUE(run(catalog_->accounts().remove(root_)));
  EXPECT_EQ(sign_in().error().message, "This server is not set up yet.");
  EXPECT_EQ(accounts(), 0U);
}

TEST_F(ProviderSignInTest, AnOwnerLinksTheirAccount) {
  const auto mine = signed_in(root_);
  const auto begun = run(service().begin_link(mine.principal, "/settings")).value();
  const auto ended = end(begun, {state_of(begun.cookie), "code"}).value();
  EXPECT_FALSE(ended.session);
  EXPECT_EQ(ended.return_path, "/settings");
  EXPECT_EQ(account_of(sign_in().value()).name, "root");
  const auto identities = run(catalog_->identities().list(root_)).value();
  ASSERT_EQ(identities.size(), 1U);
  ASSERT_TRUE(run(catalog_->identities().unlink(root_, identities[0].id)));
  EXPECT_EQ(account_of(sign_in().value()).name, "ann");
}

TEST_F(ProviderSignInTest, ALinkIsMadeWhileItsSessionCounts) {
  const auto mine = signed_in(root_);
  const auto begun = run(service().begin_link(mine.principal, "/settings")).value();
  ASSERT_TRUE(run(sign_in_.sign_out(mine.principal)));
  EXPECT_EQ(end(begun, {state_of(begun.cookie), "code"}).error().code, ErrorCode::unauthenticated);
  EXPECT_TRUE(run(catalog_->identities().list(root_)).value().empty());
}

TEST_F(ProviderSignInTest, APersonIsLinkedOnce) {
  ASSERT_TRUE(sign_in());
  const auto mine = signed_in(root_);
  const auto begun = run(service().begin_link(mine.principal, "/settings")).value();
  EXPECT_EQ(end(begun, {state_of(begun.cookie), "code"}).error().code, ErrorCode::exists);
}

TEST_F(ProviderSignInTest, ALogoutTokenEndsSessionsOnce) {
  const auto token = sign_in().value().session->token;
  const auto other = signed_in(named("ann").id).token;
  provider_.logout = ProviderLogout{"j-1", kIssuer, {}, "sid-s-1", now() + std::chrono::hours(1)};
  ASSERT_TRUE(run(service().end_sessions("token")));
  EXPECT_FALSE(run(sign_in_.by_token(token)));
  EXPECT_TRUE(run(sign_in_.by_token(other))) << "it was not begun at the provider";
  EXPECT_EQ(run(service().end_sessions("token")).error().code, ErrorCode::unauthenticated);
  provider_.logout->id = "j-2";
  EXPECT_TRUE(run(service().end_sessions("token"))) << "nothing is there";
  provider_.logout.reset();
  EXPECT_EQ(run(service().end_sessions("token")).error().code, ErrorCode::unauthenticated);
}

TEST_F(ProviderSignInTest, AnAddressThatFailsOftenIsSlowed) {
  const auto begun = begin();
  std::vector<catalog::SignInLimit> limits;
  for (int i = 0; i < 40; ++i) {
    limits = {{"provider address 192.0.2.1", 1000, {}}};
    ASSERT_TRUE(run(catalog_->sign_in_failures().begin_attempt(limits)));
  }
  EXPECT_EQ(end(begun, {state_of(begun.cookie), "code-1"}).error().code, ErrorCode::rate_limited);
  // Beginning tells nothing, and must not make the return wait.
  EXPECT_TRUE(run(service().begin("/", "", {"192.0.2.1", "Browser"})));
}

TEST_F(ProviderSignInTest, BeginningCountsAsNoFailure) {
  for (int i = 0; i < 40; ++i) {
    std::vector<catalog::SignInLimit> limits = {{"provider address 192.0.2.1", 1000, {}}};
    ASSERT_TRUE(run(catalog_->sign_in_failures().begin_attempt(std::move(limits))));
  }
  const auto here = std::chrono::steady_clock::now();
  follow_clock(own_now() + std::chrono::minutes(30), here, here);
  const auto begun = begin();
  const auto ended = end(begun, {state_of(begun.cookie), "code-1"});
  follow_own_clock();
  EXPECT_TRUE(ended) << ended.error().message;
}

TEST_F(ProviderSignInTest, WhoIsRefusedByItsGroupsLosesWhatTheyGave) {
  options_.rules.admin_groups = {"admins"};
  options_.rules.allowed_groups = {"staff"};
  provider_.person->groups = {"admins", "staff"};
  const auto account = account_of(sign_in().value());
  EXPECT_EQ(account.role, catalog::Role::admin);
  provider_.person->groups = {"admins"};
  EXPECT_EQ(sign_in().error().code, ErrorCode::forbidden);
  provider_.person->groups.emplace();
  EXPECT_EQ(sign_in().error().code, ErrorCode::forbidden);
  EXPECT_EQ(run(catalog_->accounts().get(account.id)).value().role, catalog::Role::user);
}

TEST_F(ProviderSignInTest, ComesBackToAPageOfThisServer) {
  EXPECT_EQ(safe_return_path("/files/a%20b?view=list"), "/files/a%20b?view=list");
  for (const char* path : {"", "files", "//evil.example.org", "/\\evil.example.org",
                           "https://evil.example.org", "/a\r\nSet-Cookie: x", "/\xff"}) {
    EXPECT_EQ(safe_return_path(path), "/") << path;
  }
  EXPECT_EQ(safe_return_path("/" + std::string(2000, 'x')), "/");
}

}  // namespace
}  // namespace coffer::core
