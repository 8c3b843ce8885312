#include "catalog/web_sessions.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class WebSessionsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    account_ = add_account("ada");
  }
  Result<WebSession> sign_in(std::uint8_t hash, std::size_t most = 10) {
    return run(catalog_->web_sessions().create(
        {account_.id, account_.password_hash, "192.0.2.1", "Browser", hash_of(hash)}, most));
  }
  static bool accepts(Catalog& catalog, std::uint8_t hash) {
    auto& sessions = catalog.web_sessions();
    return sessions.find_now(hash_of(hash)) || run(sessions.find(hash_of(hash)));
  }
  void change(AccountChange change) {
    account_ = run(catalog_->accounts().change(account_.id, std::move(change))).value();
  }

  Account account_;
};
COFFER_ON_BOTH_DATABASES(WebSessionsTest);

TEST_P(WebSessionsTest, AGrantHoldsSessionAndAccount) {
  const auto session = sign_in(1).value();
  const auto grant = run(catalog_->web_sessions().find(hash_of(1))).value();
  EXPECT_EQ(grant->session.id, session.id);
  EXPECT_EQ(grant->session.address, "192.0.2.1");
  EXPECT_EQ(grant->session.agent, "Browser");
  EXPECT_EQ(grant->account.name, "ada");
  EXPECT_EQ(grant->credential.kind, Credential::Kind::session);
  EXPECT_EQ(catalog_->web_sessions().find_now(hash_of(1)) != nullptr, GetParam() == Kind::sqlite);
  EXPECT_FALSE(accepts(*catalog_, 2));
}

TEST_P(WebSessionsTest, AGrantTellsHowTheSessionBegan) {
  NewWebSession wanted{account_.id, account_.password_hash, "192.0.2.1", "Browser", hash_of(1)};
  wanted.origin = {SignInMethod::setup_link, "https://id.example.org", "ada", "s1"};
  const auto made = run(catalog_->web_sessions().create(std::move(wanted), 10)).value();
  const auto grant = run(catalog_->web_sessions().find(hash_of(1))).value();
  EXPECT_EQ(grant->session.method, SignInMethod::setup_link);
  EXPECT_EQ(grant->session.issuer, "https://id.example.org");
  EXPECT_EQ(grant->session.subject, "ada");
  EXPECT_EQ(grant->session.provider_session, "s1");
  EXPECT_EQ(grant->session.confirmed_at, made.created_at);
}

TEST_P(WebSessionsTest, AConfirmationElsewhereCountsAtOnce) {
  Catalog* const other = beside();
  const auto session = sign_in(1).value();
  CatalogTest::change("UPDATE web_sessions SET confirmed_at = 0");
  const auto confirmed_at = [&](Catalog& catalog) {
    return run(catalog.web_sessions().find(hash_of(1))).value()->session.confirmed_at;
  };
  EXPECT_EQ(confirmed_at(*catalog_), Timestamp());
  ASSERT_TRUE(
      run(other->web_sessions().confirm(account_.id, session.id, account_.password_hash, {})));
  EXPECT_GE(confirmed_at(*catalog_), session.created_at);
  EXPECT_GE(confirmed_at(*other), session.created_at);
}

TEST_P(WebSessionsTest, WhatHasEndedIsNotConfirmed) {
  const auto refused = [&](const SessionId& id, const Account& account, const std::string& hash) {
    return run(catalog_->web_sessions().confirm(account.id, id, hash, {})).error().code;
  };
  const auto session = sign_in(1).value();
  const auto other = add_account("bob");
  EXPECT_EQ(refused(session.id, other, other.password_hash), ErrorCode::unauthenticated);
  EXPECT_EQ(refused(session.id, account_, "a hash of before"), ErrorCode::unauthenticated);
  ASSERT_TRUE(run(catalog_->web_sessions().end(account_.id, session.id)));
  EXPECT_EQ(refused(session.id, account_, account_.password_hash), ErrorCode::unauthenticated);
}

TEST_P(WebSessionsTest, AProviderEndsThoseThatItNames) {
  const auto begin = [&](std::uint8_t hash, const std::string& issuer, const std::string& subject,
                         const std::string& sid) {
    NewWebSession wanted{account_.id, account_.password_hash, "", "", hash_of(hash)};
    wanted.origin = {SignInMethod::oidc, issuer, subject, sid};
    ASSERT_TRUE(run(catalog_->web_sessions().create(std::move(wanted), 10)));
  };
  begin(1, "https://id.example.org", "ada", "s-1");
  begin(2, "https://id.example.org", "ada", "s-2");
  begin(3, "https://id.example.org", "bob", "s-3");
  begin(4, "https://other.example.org", "ada", "s-1");
  ASSERT_TRUE(sign_in(5));
  const auto end = [&](std::optional<std::string> subject, std::optional<std::string> sid) {
    return run(catalog_->web_sessions().end_provided("https://id.example.org", std::move(subject),
                                                     std::move(sid)))
        .value();
  };
  ASSERT_TRUE(accepts(*catalog_, 1));
  EXPECT_EQ(end({}, {}), 0U);
  EXPECT_EQ(end("ada", "s-3"), 0U) << "it is another's";
  EXPECT_EQ(end("ada", "s-1"), 1U);
  EXPECT_FALSE(accepts(*catalog_, 1));
  EXPECT_TRUE(accepts(*catalog_, 2));
  EXPECT_EQ(end("ada", {}), 1U);
  EXPECT_FALSE(accepts(*catalog_, 2));
  EXPECT_EQ(end({}, "s-3"), 1U);
  EXPECT_FALSE(accepts(*catalog_, 3));
  EXPECT_EQ(end("nobody", {}), 0U);
  EXPECT_TRUE(accepts(*catalog_, 4));
  EXPECT_TRUE(accepts(*catalog_, 5));
}

TEST_P(WebSessionsTest, ThoseOfAProviderEndWithTheirTime) {
  NewWebSession wanted{account_.id, account_.password_hash, "", "", hash_of(1)};
  wanted.origin = {SignInMethod::oidc, "https://id.example.org", "ada", ""};
  ASSERT_TRUE(run(catalog_->web_sessions().create(std::move(wanted), 10)));
  ASSERT_TRUE(sign_in(2));
  ASSERT_TRUE(run(
      catalog_->web_sessions().end_older_of(SignInMethod::oidc, now() - std::chrono::hours(1))));
  EXPECT_TRUE(accepts(*catalog_, 1));
  ASSERT_TRUE(run(
      catalog_->web_sessions().end_older_of(SignInMethod::oidc, now() + std::chrono::hours(1))));
  EXPECT_FALSE(accepts(*catalog_, 1));
  EXPECT_TRUE(accepts(*catalog_, 2));
}

TEST_P(WebSessionsTest, AnEndElsewhereCountsAtOnce) {
  Catalog* const other = beside();
  const auto session = sign_in(1).value();
  ASSERT_TRUE(accepts(*catalog_, 1));
  ASSERT_TRUE(accepts(*other, 1));
  ASSERT_TRUE(run(other->web_sessions().end(account_.id, session.id)));
  EXPECT_FALSE(accepts(*catalog_, 1));
  EXPECT_FALSE(accepts(*other, 1));
}

TEST_P(WebSessionsTest, AnotherAccountEndsNone) {
  const auto session = sign_in(1).value();
  const auto other = add_account("bob");
  EXPECT_EQ(run(catalog_->web_sessions().end(other.id, session.id)).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(run(catalog_->web_sessions().end_others(other.id, {})).value(), 0U);
  EXPECT_TRUE(accepts(*catalog_, 1));
}

TEST_P(WebSessionsTest, ChangesOfTheAccountEndThem) {
  AccountChange password;
  password.password_hash = "another";
  AccountChange role;
  role.role = Role::admin;
  AccountChange disabled;
  disabled.disabled = true;
  std::uint8_t hash = 0;
  for (const AccountChange& one : {password, role, disabled}) {
    ASSERT_TRUE(sign_in(++hash));
    ASSERT_TRUE(accepts(*catalog_, hash));
    change(one);
    EXPECT_FALSE(accepts(*catalog_, hash)) << int{hash};
  }
  AccountChange enabled;
  enabled.disabled = false;
  change(enabled);
  EXPECT_FALSE(accepts(*catalog_, hash)) << "enabling revives none";
}

TEST_P(WebSessionsTest, OtherChangesLeaveThem) {
  ASSERT_TRUE(sign_in(1));
  AccountChange one;
  one.display_name = "Ada";
  one.role = Role::user;
  one.quota_bytes = 5;
  change(one);
  EXPECT_TRUE(accepts(*catalog_, 1));
}

TEST_P(WebSessionsTest, TheOneThatChangesThePasswordStays) {
  const auto mine = sign_in(1).value();
  ASSERT_TRUE(sign_in(2));
  AccountChange one;
  one.password_hash = "another";
  one.kept_session = mine.id;
  change(one);
  EXPECT_TRUE(accepts(*catalog_, 1));
  EXPECT_FALSE(accepts(*catalog_, 2));
}

TEST_P(WebSessionsTest, APasswordThatWasChangedMeanwhileMakesNone) {
  const Account before = account_;
  AccountChange one;
  one.password_hash = "another";
  change(one);
  account_ = before;
  EXPECT_EQ(sign_in(1).error().code, ErrorCode::unauthenticated);
  EXPECT_FALSE(accepts(*catalog_, 1));
}

TEST_P(WebSessionsTest, TheOneSeenLeastLatelyGivesWay) {
  for (const std::uint8_t hash : {1, 2, 3}) ASSERT_TRUE(sign_in(hash, 2));
  EXPECT_FALSE(accepts(*catalog_, 1));
  EXPECT_TRUE(accepts(*catalog_, 2));
  EXPECT_TRUE(accepts(*catalog_, 3));
}

TEST_P(WebSessionsTest, ThoseTooOldEnd) {
  const auto session = sign_in(1).value();
  auto& sessions = catalog_->web_sessions();
  const auto ended = [&](Timestamp made_before, Timestamp seen_before) {
    EXPECT_TRUE(run(sessions.end_older(made_before, seen_before)));
    return !accepts(*catalog_, 1);
  };
  EXPECT_FALSE(ended(session.created_at, session.created_at));
  EXPECT_TRUE(ended(kEarliest, session.last_seen_at + std::chrono::seconds(1)));
  ASSERT_TRUE(sign_in(1));
  EXPECT_TRUE(ended(now() + std::chrono::seconds(1), kEarliest));
}

TEST_P(WebSessionsTest, UsesAreWrittenAndFound) {
  const auto session = sign_in(1).value();
  auto& sessions = catalog_->web_sessions();
  sessions.note_use(session.id);
  ASSERT_TRUE(run(sessions.flush_uses()));
  EXPECT_GT(run(sessions.find(hash_of(1))).value()->session.last_seen_at, session.last_seen_at);
}

TEST_P(WebSessionsTest, AnEndedOneMakesNoKey) {
  const auto session = sign_in(1).value();
  const auto make = [&](std::uint8_t hash) {
    NewKey key{.account = account_.id, .name = "made", .preview = "…", .folder = {}};
    key.hash = hash_of(hash);
    key.asker = Asker{Credential{Credential::Kind::session, hash_of(1)}};
    return run(catalog_->keys().create(std::move(key)));
  };
  EXPECT_TRUE(make(2));
  ASSERT_TRUE(run(catalog_->web_sessions().end(account_.id, session.id)));
  EXPECT_EQ(make(3).error().code, ErrorCode::unauthenticated);
}

TEST_P(WebSessionsTest, OneThatWasSignedOutIsKeptForTasksAlone) {
  const auto find = [&](std::uint8_t hash, SignedOut signed_out) {
    return bool(run(catalog_->web_sessions().find(hash_of(hash), signed_out)));
  };
  const auto quiet = sign_in(1).value();
  ASSERT_TRUE(run(catalog_->web_sessions().sign_out(account_.id, quiet.id)));
  EXPECT_FALSE(find(1, SignedOut::found));
  const TaskId task = Tasks::new_id();
  ASSERT_TRUE(run(catalog_->tasks().note(task, NewTask{account_.id, TaskKind::copy, "a", "b"})));
  const auto busy = sign_in(2).value();
  ASSERT_TRUE(run(catalog_->web_sessions().sign_out(account_.id, busy.id)));
  EXPECT_FALSE(find(2, SignedOut::absent));
  EXPECT_EQ(catalog_->web_sessions().find_now(hash_of(2)), nullptr);
  EXPECT_TRUE(find(2, SignedOut::found));
  EXPECT_TRUE(run(catalog_->web_sessions().list(account_.id)).value().empty());
  ASSERT_TRUE(run(catalog_->web_sessions().drop_signed_out()));
  EXPECT_TRUE(find(2, SignedOut::found));
  const Asker asker{Credential{Credential::Kind::session, hash_of(2)}};
  EXPECT_EQ(run(catalog_->web_sessions().end_others(account_.id, {}, asker)).error().code,
            ErrorCode::unauthenticated);
  ASSERT_TRUE(run(catalog_->tasks().end(account_.id, task, TaskEnd{})));
  ASSERT_TRUE(run(catalog_->web_sessions().drop_signed_out()));
  EXPECT_FALSE(find(2, SignedOut::found));
}

TEST_P(WebSessionsTest, OneThatWasSignedOutIsEndedWithTheOthers) {
  const TaskId task = Tasks::new_id();
  ASSERT_TRUE(run(catalog_->tasks().note(task, NewTask{account_.id, TaskKind::copy, "a", "b"})));
  const auto left = sign_in(1).value();
  const auto kept = sign_in(2).value();
  ASSERT_TRUE(run(catalog_->web_sessions().sign_out(account_.id, left.id)));
  ASSERT_TRUE(run(catalog_->web_sessions().end_others(account_.id, kept.id)));
  EXPECT_FALSE(run(catalog_->web_sessions().find(hash_of(1), SignedOut::found)));
}

}  // namespace
}  // namespace coffer::catalog
