#include "core/files/folder_lister.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/run.h"
#include "core/testing/transfer_fixture.h"

namespace coffer::core {
namespace {

constexpr std::size_t kMany = 20'000;

class FolderListerTest : public testing::Test {
 protected:
  FolderListerTest() {
    hooked_->hooks.list = [this](const Path&, std::vector<storage::Entry>& entries) {
      for (std::size_t i = 0; i < items_; ++i) {
        entries.emplace_back().name = "a name that does not fit inside " + std::to_string(i);
      }
    };
  }

  static Principal principal(long long id, bool is_guest = false) {
    catalog::Account account;
    account.id = AccountId{id};
    account.name = "account " + std::to_string(id);
    Principal made;
    made.account = std::make_shared<const catalog::Account>(std::move(account));
    made.is_guest = is_guest;
    return made;
  }

  Result<storage::Listed> list(const Principal& principal) {
    return run(lister_.list(principal, hooked_, Path()));
  }

  Task<void> list_aside(Principal principal, std::vector<storage::Listed>& done) {
    auto listed = co_await lister_.list(principal, hooked_, Path());
    EXPECT_TRUE(listed);
    ++finished_;
    if (listed) done.push_back(*std::move(listed));
  }

  Task<void> list_into(std::optional<Result<storage::Listed>>& result) {
    result = co_await lister_.list(principal(1), hooked_, Path());
  }

  std::size_t items_ = kMany;
  int finished_ = 0;
  storage::MemoryBackend memory_;
  std::shared_ptr<HookedBackend> hooked_ = std::make_shared<HookedBackend>(memory_);
  const MemoryRoom room_{MemoryRoom::limits_of(100'000'000)};
  FolderLister lister_{room_};
};

TEST_F(FolderListerTest, AFewEntriesNeedNoTurn) {
  items_ = 100;
  const auto first = list(principal(1));
  const auto second = list(principal(1));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->entries.size(), 100u);
  EXPECT_EQ(second->turn, nullptr);
  EXPECT_GT(room_.taken(), 2 * 100 * sizeof(storage::Entry));
}

TEST_F(FolderListerTest, ManyHoldTheirMemoryAndLessOnceTheyAreSettled) {
  auto listed = list(principal(1));
  ASSERT_TRUE(listed);
  const auto in_work = room_.taken();
  EXPECT_GT(in_work, 2 * kMany * sizeof(storage::Entry));
  EXPECT_TRUE(listed->settle());
  EXPECT_LT(room_.taken(), in_work);
  EXPECT_GT(room_.taken(), kMany * sizeof(storage::Entry));
  listed = fail(ErrorCode::failed, "");
  EXPECT_EQ(room_.taken(), 0u);
}

TEST_F(FolderListerTest, AnAccountHasOneLargeListingInWorkAndWhoWaitsHoldsNothing) {
  asio::io_context context;
  std::vector<storage::Listed> done;
  for (int i = 0; i < 8; ++i) {
    asio::co_spawn(context, list_aside(principal(1), done), asio::detached);
  }
  asio::co_spawn(context, list_aside(principal(1, true), done), asio::detached);
  asio::co_spawn(context, list_aside(principal(2), done), asio::detached);
  context.poll();
  ASSERT_EQ(done.size(), 3u);
  const auto in_work = done.front().hold.bytes();
  EXPECT_EQ(room_.taken(), 3 * in_work);
  while (!done.empty()) {
    done.erase(done.begin());
    context.restart();
    context.poll();
    EXPECT_LE(room_.taken(), 3 * in_work);
  }
  EXPECT_EQ(finished_, 10);
}

TEST_F(FolderListerTest, WhoWaitsIsRefusedWhenItEnds) {
  asio::io_context context;
  std::vector<storage::Listed> done;
  asio::co_spawn(context, list_aside(principal(1), done), asio::detached);
  std::optional<Result<storage::Listed>> waiting;
  asio::co_spawn(context, list_into(waiting), asio::detached);
  context.poll();
  EXPECT_FALSE(waiting);
  lister_.end();
  done.clear();
  context.restart();
  context.poll();
  ASSERT_TRUE(waiting && !*waiting);
  EXPECT_EQ(waiting->error().code, ErrorCode::overloaded);
}

TEST_F(FolderListerTest, WhatIsNotWantedAnyMoreIsNotListed) {
  const auto is_wanted = [] { return false; };
  const auto listed = run(lister_.list(principal(1), hooked_, Path(), is_wanted));
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::failed);
  EXPECT_EQ(room_.taken(), 0u);
}

TEST_F(FolderListerTest, AFolderThatDoesNotFitIsRefused) {
  const MemoryRoom small(MemoryRoom::limits_of(1'000'000));
  FolderLister lister(small);
  const auto listed = run(lister.list(principal(1), hooked_, Path()));
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::overloaded);
  EXPECT_NE(listed.error().message.find("memory_mib"), std::string::npos);
  EXPECT_EQ(small.taken(), 0u);
}

TEST_F(FolderListerTest, AnotherLargeListingOfTheAccountHasToWaitForItsShare) {
  const auto kept = list(principal(1));
  ASSERT_TRUE(kept);
  auto share = room_.begin(holder_of(principal(2)));
  ASSERT_TRUE(share.grow(39'000'000));
  const auto refused = list(principal(2));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::rate_limited);
}

}  // namespace
}  // namespace coffer::core
