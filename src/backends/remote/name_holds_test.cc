#include "backends/remote/name_holds.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <optional>
#include <string>

namespace coffer::remote {
namespace {

/// Callers by the paths that they ask for.
class NameHoldsTest : public testing::Test {
 protected:
  void ask(const std::string& caller, const std::vector<std::string>& texts) {
    asio::co_spawn(context_, enter(caller, texts), asio::detached);
    run();
  }
  void leave(const std::string& caller) {
    held_.erase(caller);
    run();
  }
  bool has(const std::string& caller) const { return held_.contains(caller); }

 private:
  Task<void> enter(std::string caller, std::vector<std::string> places) {
    auto hold = co_await holds_.enter(std::move(places));
    held_.emplace(std::move(caller), std::move(hold));
  }
  void run() {
    context_.restart();
    context_.poll();
  }

  NameHolds holds_;
  asio::io_context context_;
  std::map<std::string, NameHolds::Hold> held_;
};

TEST_F(NameHoldsTest, NamesBesideEachOtherDoNotWait) {
  ask("first", {"a/b"});
  ask("second", {"a/c", "a/bb"});
  ask("third", {"b"});
  EXPECT_TRUE(has("first") && has("second") && has("third"));
}

TEST_F(NameHoldsTest, ANameWaitsForItselfAndWhatIsAboveOrBelow) {
  for (const auto* other : {"a/b", "a", "a/b/c", "", "A/B", "a/B/x"}) {
    ask("first", {"a/b"});
    ask("second", {"x", other});
    EXPECT_FALSE(has("second")) << other;
    leave("first");
    EXPECT_TRUE(has("second")) << other;
    leave("second");
  }
}

TEST_F(NameHoldsTest, NamesThatADriveMayTakeForOneWait) {
  ask("first", {"a/caf\u00e9"});
  ask("second", {"a/cafe\u0301"});
  ask("third", {"b/cafe\u0301"});
  EXPECT_FALSE(has("second"));
  EXPECT_TRUE(has("third"));
  leave("first");
  EXPECT_TRUE(has("second"));
}

TEST_F(NameHoldsTest, WhoComesLaterDoesNotOvertake) {
  ask("first", {"a"});
  ask("second", {"a", "b"});
  ask("third", {"b"});
  ask("fourth", {"c"});
  EXPECT_FALSE(has("second") || has("third"));
  EXPECT_TRUE(has("fourth"));
  leave("first");
  EXPECT_TRUE(has("second"));
  EXPECT_FALSE(has("third"));
  leave("second");
  EXPECT_TRUE(has("third"));
}

}  // namespace
}  // namespace coffer::remote
