#include "backends/remote/publish.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "async/run.h"
#include "backends/remote/testing/scripted_adapter.h"
#include "storage/partial_name.h"

namespace coffer::remote {
namespace {

constexpr std::uint64_t kOld = 3;
constexpr std::uint64_t kNew = 5;

/// Files that are replaced on a server that cannot do so in one step.
class PublishTest : public testing::Test {
 protected:
  Result<std::vector<storage::Published>> publish(const std::vector<std::string>& names) {
    std::vector<std::unique_ptr<FinishedWriter>> made;
    std::vector<PartialWriter*> writers;
    for (const std::string& name : names) {
      made.push_back(std::make_unique<FinishedWriter>(server_, name, kNew));
      writers.push_back(made.back().get());
    }
    return run(publish_all(server_, writers, UINT64_MAX));
  }
  void put_old(const std::vector<std::string>& names) {
    for (const std::string& name : names) server_.put(name, Kind::file, kOld);
  }
  std::vector<std::string> in_sight() const {
    std::vector<std::string> names;
    for (const auto& [place, item] : server_.items) {
      if (!place.empty() && !storage::is_hidden_name(place)) names.push_back(place);
    }
    return names;
  }

  ScriptedAdapter server_;
};

TEST_F(PublishTest, ReplacesAndLeavesNothingBeside) {
  put_old({"a", "b"});
  ASSERT_TRUE(publish({"a", "b"}));
  EXPECT_EQ(server_.size_of("a") + server_.size_of("b"), 2 * kNew);
  EXPECT_EQ(in_sight(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(PublishTest, AnOutageIsNotTakenForARefusalToReplace) {
  put_old({"a"});
  server_.can.replaces = Replaces::maybe;
  int replacing = 0;
  bool is_name_free = false;
  server_.script = [&](auto call, auto on) -> std::optional<ScriptedAdapter::Answer> {
    is_name_free = is_name_free || (call == "move" && on.starts_with("a "));
    if (call != "replace") return std::nullopt;
    if (++replacing == 1) return ScriptedAdapter::Answer{ErrorCode::unavailable};
    server_.can.replaces = Replaces::surely;  // It can, once it is asked.
    return std::nullopt;
  };
  EXPECT_TRUE(publish({"a"}));
  EXPECT_EQ(server_.size_of("a"), kNew);
  EXPECT_FALSE(is_name_free);
  EXPECT_EQ(replacing, 2);
}

TEST_F(PublishTest, AStepWithoutAnswersKeepsNoOtherFromBeingTakenBack) {
  put_old({"a", "b", "c"});
  server_.script = [](auto call, auto on) -> std::optional<ScriptedAdapter::Answer> {
    const bool is_of_c = on.starts_with("c") && on != "c";
    if (is_of_c && (call == "move" || call == "find")) {
      return ScriptedAdapter::Answer{ErrorCode::unavailable};
    }
    return std::nullopt;
  };
  EXPECT_EQ(publish({"a", "b", "c"}).error().code, ErrorCode::unavailable);
  for (const auto* name : {"a", "b", "c"}) EXPECT_EQ(server_.size_of(name), kOld) << name;
  EXPECT_EQ(in_sight(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(PublishTest, WhatWasPutAsideUnseenComesBack) {
  put_old({"a"});
  int looks = 0;
  server_.script = [&](auto call, auto on) -> std::optional<ScriptedAdapter::Answer> {
    if (call == "move" && on.starts_with("a ")) {
      return ScriptedAdapter::Answer{ErrorCode::unavailable, true};
    }
    // The look after it fails by a refusal, over a connection that was made anew.
    const bool is_look_after = call == "find" && on == "a" && ++looks == 2;
    if (is_look_after) return ScriptedAdapter::Answer{ErrorCode::refused};
    return std::nullopt;
  };
  EXPECT_FALSE(publish({"a"}));
  EXPECT_EQ(in_sight(), std::vector<std::string>{"a"});
  EXPECT_EQ(server_.size_of("a"), kOld);
}

TEST_F(PublishTest, WhatComesBackTakesNoNameThatWasTakenMeanwhile) {
  put_old({"a", "b"});
  server_.script = [&](auto call, auto on) -> std::optional<ScriptedAdapter::Answer> {
    if (call != "move" || !on.ends_with(" a")) return std::nullopt;
    // Another program stores a file while the name is free, so the new one is refused.
    if (!server_.items.contains("a")) server_.put("a", Kind::file, 9);
    const bool is_new = storage::is_hidden_name(on.substr(0, on.find(' ')));
    return is_new ? std::optional(ScriptedAdapter::Answer{}) : std::nullopt;
  };
  EXPECT_EQ(publish({"a", "b"}).error().code, ErrorCode::refused);
  EXPECT_EQ(server_.size_of("a"), 9u) << "the other program's";
  EXPECT_EQ(server_.size_of("b"), kOld);
  EXPECT_EQ(in_sight().size(), 3u) << "a, what a was before, b";
}

TEST_F(PublishTest, ANewFileShowsWhateverSizeIsSaidOfIt) {
  server_.script = [&](auto call, auto on) -> std::optional<ScriptedAdapter::Answer> {
    if (call == "find" && on == "new" && server_.items.contains("new")) {
      server_.items["new"].size_bytes = 0;
    }
    if (call == "move") return ScriptedAdapter::Answer{ErrorCode::unavailable, true};
    return std::nullopt;
  };
  EXPECT_TRUE(publish({"new"}));
  EXPECT_EQ(in_sight(), std::vector<std::string>{"new"});
}

TEST_F(PublishTest, OneBackupThatIsNotDroppedKeepsNoOther) {
  put_old({"a", "b"});
  server_.script = [](auto call, auto on) -> std::optional<ScriptedAdapter::Answer> {
    if (call == "remove_file" && on.starts_with("a.")) {
      return ScriptedAdapter::Answer{ErrorCode::unavailable};
    }
    return std::nullopt;
  };
  EXPECT_TRUE(publish({"a", "b"}));
  EXPECT_EQ(server_.leftovers().take().size(), 1u);
  EXPECT_EQ(in_sight().size(), 3u) << "a, what a replaced, b";
}

TEST_F(PublishTest, ALinkWhoseTargetIsNotSeenIsNotReplaced) {
  server_.can.keeps_links = true;
  server_.put("link", Kind::link);
  int looks = 0;
  server_.script = [&](auto call, auto) -> std::optional<ScriptedAdapter::Answer> {
    if (call == "find" && ++looks == 2) return ScriptedAdapter::Answer{ErrorCode::timed_out};
    return std::nullopt;
  };
  EXPECT_EQ(publish({"link"}).error().code, ErrorCode::timed_out);
  EXPECT_EQ(server_.items.at("link").kind, Kind::link);
}

}  // namespace
}  // namespace coffer::remote
