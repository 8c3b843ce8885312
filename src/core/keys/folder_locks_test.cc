#include "core/keys/folder_locks.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "catalog/testing/scratch_catalog.h"

namespace coffer::core {
namespace {

using Mode = FolderLocks::Mode;

class FolderLocksTest : public testing::Test {
 protected:
  /// Asks for the places; the lock is kept in `held_` under `name`.
  void ask(const std::string& name, std::set<std::string> places, Mode mode) {
    asio::co_spawn(context_, acquire(name, std::move(places), mode),
                   [](const std::exception_ptr& error) { ASSERT_FALSE(error); });
    run_all();
  }
  void leave(const std::string& name) {
    held_.erase(name);
    run_all();
  }
  std::vector<std::string> held() const {
    std::vector<std::string> names;
    for (const auto& [name, hold] : held_) names.push_back(name);
    return names;
  }

 private:
  Task<void> acquire(std::string name, std::set<std::string> places, Mode mode) {
    auto lock = co_await locks_.acquire(std::move(places), mode);
    held_.emplace(std::move(name), *std::move(lock));
  }
  void run_all() {
    context_.restart();
    context_.poll();
  }

  asio::io_context context_;
  const catalog::ScratchCatalog catalog_;
  FolderLocks locks_{catalog_->folder_locks()};
  std::map<std::string, FolderLocks::Lock> held_;
};

using Names = std::vector<std::string>;

TEST_F(FolderLocksTest, ExclusiveWaitersAreServedBeforeLaterSharedRequests) {
  ask("1", {"own"}, Mode::shared);
  ask("2", {"own"}, Mode::shared);
  ask("3", {"own"}, Mode::exclusive);
  ask("4", {"own"}, Mode::shared);
  EXPECT_EQ(held(), (Names{"1", "2"}));
  leave("1");
  EXPECT_EQ(held(), (Names{"2"}));
  leave("2");
  EXPECT_EQ(held(), (Names{"3"}));
  leave("3");
  EXPECT_EQ(held(), (Names{"4"}));
}

TEST_F(FolderLocksTest, LaterExclusiveRequestsDoNotOvertakeAWaitingSharedOne) {
  ask("1", {"own"}, Mode::exclusive);
  ask("2", {"own"}, Mode::shared);
  ask("3", {"own"}, Mode::exclusive);
  ask("4", {"own"}, Mode::shared);
  leave("1");
  EXPECT_EQ(held(), (Names{"2"}));
  ask("5", {"own"}, Mode::exclusive);
  leave("2");
  EXPECT_EQ(held(), (Names{"3"}));
  leave("3");
  EXPECT_EQ(held(), (Names{"4"}));
  leave("4");
  EXPECT_EQ(held(), (Names{"5"}));
}

TEST_F(FolderLocksTest, PlacesAreLockedTogetherAndOthersAreFree) {
  ask("1", {"own"}, Mode::shared);
  ask("2", {"own", "share"}, Mode::exclusive);
  ask("3", {"mount"}, Mode::exclusive);
  EXPECT_EQ(held(), (Names{"1", "3"}));
  leave("1");
  EXPECT_EQ(held(), (Names{"2", "3"}));
  ask("4", {"share"}, Mode::shared);
  EXPECT_EQ(held(), (Names{"2", "3"}));
  leave("2");
  EXPECT_EQ(held(), (Names{"3", "4"}));
}

TEST_F(FolderLocksTest, WhoWaitsForOnePlaceHoldsUpNoneInAnother) {
  ask("slow", {"mount"}, Mode::shared);
  ask("move", {"mount", "share"}, Mode::exclusive);
  ask("later", {"mount"}, Mode::shared);
  ask("1", {"share"}, Mode::shared);
  EXPECT_EQ(held(), (Names{"1", "slow"}));
  leave("slow");
  ask("2", {"share"}, Mode::shared);
  EXPECT_EQ(held(), (Names{"1", "later"})) << "the move waits for the share alone now";
  leave("1");
  EXPECT_EQ(held(), (Names{"2", "later"})) << "and for the mount again";
  leave("later");
  leave("2");
  EXPECT_EQ(held(), (Names{"move"}));
  leave("move");
  EXPECT_EQ(held(), Names());
}

}  // namespace
}  // namespace coffer::core
