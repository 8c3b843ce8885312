#include "catalog/run_watch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "async/run.h"
#include "catalog/catalog.h"
#include "sql/testing/postgres_server.h"

namespace coffer::catalog {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMebibyte = 1 << 20;

/// Servers on one catalog of PostgreSQL.
class SeveralServers : public testing::Test {
 protected:
  std::unique_ptr<Catalog> start(const std::string& name, const std::string& home = {}) {
    auto catalog = Catalog::open_shared(url_, name).value();
    EXPECT_TRUE(run(catalog->ledger().begin_run("tag-of-" + name, home)));
    return catalog;
  }
  /// As one that was killed: the run stays, and its connections end.
  static void kill(std::unique_ptr<Catalog> catalog) { catalog.reset(); }
  static Account add_account(Catalog& catalog, const std::string& name) {
    return run(catalog.accounts().add(NewAccount{name, "", Role::user, 0, ""})).value();
  }
  /// Looks on for as long as a dead server is silent; returns how many runs it ended.
  int look_long(Catalog& catalog) {
    int ended = 0;
    for (auto passed = 0s; passed <= RunWatch::kSilence; passed += RunWatch::kPeriod) {
      ended += run(catalog.run_watch().look(time_));
      time_ += RunWatch::kPeriod;
    }
    return ended;
  }

  const std::string url_ = sql::PostgresServer::shared().make_database();
  std::chrono::steady_clock::time_point time_ = std::chrono::steady_clock::now();
};

UploadRecord upload_of(AccountId account, const std::string& id, std::uint64_t bytes) {
  UploadRecord upload;
  upload.id = {id};
  upload.account = account;
  upload.name = "a.txt";
  upload.length_bytes = bytes;
  upload.quota_bytes = bytes;
  upload.created_at = upload.touched_at = now();
  return upload;
}

TEST_F(SeveralServers, WorkBesideEachOther) {
  const auto one = start("one");
  const auto two = start("two");
  const auto ada = add_account(*one, "ada");
  EXPECT_TRUE(run(two->ledger().reserve(ada.id, kMebibyte)));
  EXPECT_TRUE(run(one->ledger().reserve(ada.id, kMebibyte)));
  EXPECT_TRUE(run(two->ledger().record(ada.id, kMebibyte, kMebibyte)));
  EXPECT_TRUE(run(one->ledger().record(ada.id, kMebibyte, 0)));
  EXPECT_TRUE(run(one->ledger().end_run()));
  EXPECT_TRUE(run(two->ledger().end_run()));
  const auto usage = run(Catalog::open(url_).value()->ledger().usage(ada.id)).value();
  EXPECT_EQ(usage.used_bytes, kMebibyte);
  EXPECT_EQ(usage.reserved_bytes, 0u);
}

TEST_F(SeveralServers, KeepOutOneThatUsesTheCatalogAlone) {
  const auto one = start("the first of them");
  const auto alone = Catalog::open_alone(url_, "alone");
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, ErrorCode::exists);
  EXPECT_NE(alone.error().message.find("the first of them"), std::string::npos);
  EXPECT_EQ(Catalog::open_shared("sqlite:///tmp/none", "one").error().code, ErrorCode::invalid);
}

TEST_F(SeveralServers, ALivingOneIsNotEndedHoweverSilentItIs) {
  const auto one = start("one");
  const auto silent = start("two");
  EXPECT_EQ(look_long(*one), 0);
  EXPECT_TRUE(add_account(*silent, "ada").id.value > 0);
}

/// It may have published files and died before their bytes were recorded.
TEST_F(SeveralServers, WhatADeadOneMayHaveUsedIsNobodysUntilItIsCounted) {
  const auto one = start("one");
  auto two = start("two");
  const auto account = NewAccount{"ada", "", Role::user, 100 * kMebibyte, ""};
  const auto ada = run(one->accounts().add(account)).value();
  ASSERT_TRUE(run(two->ledger().reserve(ada.id, 80 * kMebibyte)));
  kill(std::move(two));
  ASSERT_EQ(look_long(*one), 1);
  EXPECT_EQ(run(one->ledger().reserve(ada.id, 30 * kMebibyte)).error().code, ErrorCode::over_quota);
  const auto before = run(one->ledger().usage(ada.id)).value();
  EXPECT_TRUE(run(one->ledger().correct(ada.id, 80 * kMebibyte, before.version)).value());
  const auto after = run(one->ledger().usage(ada.id)).value();
  EXPECT_EQ(after.used_bytes, 80 * kMebibyte);
  EXPECT_EQ(after.reserved_bytes, 0u);
  EXPECT_EQ(run(one->ledger().reserve(ada.id, 30 * kMebibyte)).error().code, ErrorCode::over_quota);
  EXPECT_TRUE(run(one->ledger().reserve(ada.id, 20 * kMebibyte)));
  EXPECT_EQ(run(one->ledger().uncounted()), std::vector<AccountId>());
}

TEST_F(SeveralServers, ADeadOneLeavesItsOwnReservedAndOthersKeepTheirs) {
  const auto one = start("one");
  auto two = start("two");
  const auto ada = add_account(*one, "ada");
  const auto bob = add_account(*one, "bob");
  ASSERT_TRUE(run(one->ledger().reserve(ada.id, 20 * kMebibyte)));
  ASSERT_TRUE(run(two->ledger().reserve(ada.id, 30 * kMebibyte)));
  const auto upload = upload_of(ada.id, "0123", 7 * kMebibyte);
  ASSERT_TRUE(run(two->uploads().create(upload, {.of_account = 5})));
  ASSERT_TRUE(run(two->uploads().begin_finishing(ada.id, upload.held(), "a.txt")));
  const auto going_on = upload_of(ada.id, "4567", 3 * kMebibyte);
  ASSERT_TRUE(run(one->uploads().create(going_on, {.of_account = 5})));
  ASSERT_TRUE(run(one->uploads().begin_finishing(ada.id, going_on.held(), "b.txt")));
  kill(std::move(two));

  EXPECT_EQ(look_long(*one), 1);
  EXPECT_EQ(run(one->ledger().usage(ada.id))->reserved_bytes, (20 + 30 + 7 + 3) * kMebibyte);
  EXPECT_EQ(run(one->ledger().uncounted()), std::vector{ada.id});
  const auto interrupted = run(one->uploads().interrupted()).value();
  ASSERT_EQ(interrupted.size(), 2u);  // The second is its own.
  EXPECT_EQ(interrupted.at(0).id, upload.id);
  EXPECT_EQ(interrupted.at(1).id, going_on.id);
  EXPECT_EQ(run(one->tasks().of_ended_runs({"tag-of-one", "tag-of-two"})),
            std::set<std::string>{"tag-of-two"});
  EXPECT_EQ(look_long(*one), 0);
  (void)bob;
}

TEST_F(SeveralServers, TasksOfTheDeadAreInterruptedAlone) {
  const auto one = start("one");
  auto two = start("two");
  const auto ada = add_account(*one, "ada");
  const auto note = [&](Catalog& catalog) {
    const TaskId id = Tasks::new_id();
    NewTask task;
    task.account = ada.id;
    task.kind = TaskKind::copy;
    EXPECT_TRUE(run(catalog.tasks().note(id, task)));
    return id;
  };
  note(*one);
  const TaskId left = note(*two);
  kill(std::move(two));
  EXPECT_TRUE(run(one->tasks().interrupt_ended())->empty());
  EXPECT_EQ(look_long(*one), 1);
  const auto interrupted = run(one->tasks().interrupt_ended()).value();
  ASSERT_EQ(interrupted.size(), 1u);
  EXPECT_EQ(interrupted.at(0).id, left);
}

TEST_F(SeveralServers, ARunOfTheSameDataFolderEndsAtOnce) {
  const auto one = start("one", "home of one");
  auto two = start("two", "home of two");
  kill(std::move(two));
  const auto again = Catalog::open_shared(url_, "two again").value();
  EXPECT_TRUE(run(again->ledger().begin_run("tag-of-two-again", "home of two")).value());
  EXPECT_EQ(look_long(*again), 0);
  EXPECT_TRUE(add_account(*one, "ada").id.value > 0);
}

TEST_F(SeveralServers, ACopyOfADataFolderIsRefused) {
  const auto one = start("one", "home");
  const auto copy = Catalog::open_shared(url_, "copy").value();
  const auto begun = run(copy->ledger().begin_run("tag of the copy", "home"));
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, ErrorCode::exists);
  EXPECT_TRUE(add_account(*one, "ada").id.value > 0);
}

TEST_F(SeveralServers, AStandstillOfThisOneEndsNoOther) {
  const auto one = start("one");
  auto two = start("two");
  kill(std::move(two));
  EXPECT_EQ(run(one->run_watch().look(time_)), 0);
  EXPECT_EQ(run(one->run_watch().look(time_ + 1h)), 0);
  time_ += 1h + RunWatch::kPeriod;
  EXPECT_EQ(look_long(*one), 1);
}

TEST_F(SeveralServers, RemoveAnUploadOnce) {
  const auto one = start("one");
  const auto two = start("two");
  const auto ada = add_account(*one, "ada");
  for (int round = 0; round < 20; ++round) {
    const auto upload = upload_of(ada.id, fmt::format("{:04}", round), kMebibyte);
    ASSERT_TRUE(run(one->uploads().create(upload, {.of_account = 50})));
    auto there = std::async(std::launch::async,
                            [&] { return run(two->uploads().remove(ada.id, {upload.id, 0})); });
    EXPECT_TRUE(run(one->uploads().remove(ada.id, {upload.id, 0})));
    EXPECT_TRUE(there.get());
  }
  EXPECT_EQ(run(one->ledger().usage(ada.id))->reserved_bytes, 0u);
  EXPECT_EQ(run(two->ledger().usage(ada.id))->reserved_bytes, 0u);
}

TEST_F(SeveralServers, LookAfterWhatADeadOneLeftOneByOne) {
  const auto one = start("one");
  const auto two = start("two");
  auto dead = start("dead");
  const auto ada = add_account(*one, "ada");
  BinItem item;
  item.id = {"item"};
  item.account = ada.id;
  item.path = "a.txt";
  ASSERT_TRUE(run(dead->bin().add(item)));
  EXPECT_TRUE(run(one->bin().unfinished())->empty()) << "it is being worked on";
  kill(std::move(dead));
  EXPECT_EQ(look_long(*one), 1);
  EXPECT_EQ(run(one->bin().unfinished())->size(), 1u);
  EXPECT_TRUE(run(two->bin().unfinished())->empty());
  EXPECT_EQ(run(one->bin().unfinished(ada.id))->size(), 1u);
}

TEST_F(SeveralServers, TakeAJobOnceInItsPeriod) {
  const auto one = start("one");
  const auto two = start("two");
  EXPECT_TRUE(run(one->shared_work().take("sweep", 1h)).value());
  EXPECT_FALSE(run(two->shared_work().take("sweep", 1h)).value());
  EXPECT_FALSE(run(one->shared_work().take("sweep", 1h)).value());
  EXPECT_TRUE(run(two->shared_work().take("other", 0s)).value());
  EXPECT_TRUE(run(one->shared_work().take("other", 1h)).value());
}

TEST_F(SeveralServers, AgreeOnWhatTheFirstHas) {
  const auto one = start("one");
  const auto two = start("two");
  EXPECT_EQ(run(one->shared_work().agree_on("key", "a")), "a");
  EXPECT_EQ(run(two->shared_work().agree_on("key", "b")), "a");
  EXPECT_TRUE(run(two->shared_work().set("key", "c")));
  EXPECT_EQ(run(one->shared_work().agree_on("key", "a")), "c");
}

/// What one of several servers remembers of keys.
class RememberedRights : public SeveralServers {
 protected:
  static constexpr SecretHash kHash{std::byte{1}};

  void SetUp() override {
    ada_ = add_account(*one_, "ada").id;
    NewKey key;
    key.account = ada_;
    key.hash = kHash;
    key_ = run(one_->keys().create(key, 10)).value().id;
  }
  /// Uses the key at a server until that remembers it.
  static void use(Catalog& catalog) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!catalog.keys().find_now(kHash) && std::chrono::steady_clock::now() < end) {
      ASSERT_TRUE(run(catalog.keys().find(kHash)));
    }
    ASSERT_TRUE(catalog.keys().find_now(kHash)) << "never remembered";
  }

  const std::unique_ptr<Catalog> one_ = start("one");
  const std::unique_ptr<Catalog> two_ = start("two");
  AccountId ada_;
  KeyId key_;
};

TEST_F(RememberedRights, AreNotUsedAfterARevocationElsewhereWasAnswered) {
  use(*two_);
  ASSERT_TRUE(run(one_->keys().revoke(ada_, key_, {})));
  EXPECT_FALSE(two_->keys().find_now(kHash));
  EXPECT_FALSE(run(two_->keys().find(kHash)));
}

TEST_F(RememberedRights, AreNotUsedAfterACommandHasRevokedThem) {
  use(*two_);
  ASSERT_TRUE(run(Catalog::open(url_).value()->keys().revoke(ada_, key_, {})));
  EXPECT_FALSE(two_->keys().find_now(kHash));
}

TEST(RightsOfOneServer, AreNotUsedOnceTheyAreChanged) {
  const std::string url = sql::PostgresServer::shared().make_database();
  const auto alone = Catalog::open_alone(url, "alone").value();
  ASSERT_TRUE(run(alone->ledger().begin_run()));
  const auto ada = run(alone->accounts().add(NewAccount{"ada", "", Role::user, 0, ""})).value();
  NewKey key;
  key.account = ada.id;
  key.hash.fill(std::byte{1});
  const auto made = run(alone->keys().create(key, 10)).value();
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!alone->keys().find_now(key.hash) && std::chrono::steady_clock::now() < end) {
    ASSERT_TRUE(run(alone->keys().find(key.hash)));
  }
  ASSERT_TRUE(alone->keys().find_now(key.hash)) << "never remembered";
  // Nobody else remembers it, so this does not wait.
  ASSERT_TRUE(run(alone->keys().revoke(ada.id, made.id, {})));
  EXPECT_FALSE(alone->keys().find_now(key.hash));
  EXPECT_FALSE(run(alone->keys().find(key.hash)));
  EXPECT_TRUE(run(alone->ledger().end_run()));
}

TEST_F(RememberedRights, MarksTellOfChangesElsewhere) {
  const auto before = run(two_->rights_marks().read()).value();
  ASSERT_TRUE(run(one_->keys().revoke(ada_, key_, {})));
  EXPECT_NE(run(two_->rights_marks().read()).value(), before);
}

}  // namespace
}  // namespace coffer::catalog
