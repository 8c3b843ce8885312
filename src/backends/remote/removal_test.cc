#include "backends/remote/removal.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "async/run.h"
#include "backends/remote/testing/scripted_adapter.h"
#include "backends/remote/walk.h"

namespace coffer::remote {
namespace {

class RemovalTest : public testing::Test {
 protected:
  RemovalTest() {
    server_.can.tree_removal = TreeRemoval::whole;
    server_.put("folder", Kind::folder);
    server_.put("folder/f", Kind::file, 3);
  }
  Result<storage::TreeSize> remove(std::string_view name = "folder") {
    return run(remove_item(server_, Path::parse(name).value()));
  }
  /// Items of this name in the root, or beside what has it.
  std::vector<ServerPath> in_root(std::string_view start) const {
    std::vector<ServerPath> found;
    for (const auto& [place, item] : server_.items) {
      const bool is_in_root = place.find('/') == place.npos;
      if (is_in_root && place.starts_with(start)) found.push_back(place);
    }
    return found;
  }
  /// Of a folder in the folder, which the adapter removes like a file, item by item.
  void lose_the_answer_for_inner(bool is_done) {
    server_.can.tree_removal = TreeRemoval::item_by_item;
    server_.put("folder/inner", Kind::folder);
    server_.script = [=](auto call, auto on) -> std::optional<ScriptedAdapter::Answer> {
      const bool is_inner = call == "remove_file" && on.ends_with("/inner");
      if (!is_inner) return std::nullopt;
      return ScriptedAdapter::Answer{.code = ErrorCode::unavailable, .is_done = is_done};
    };
  }

  ScriptedAdapter server_;
};

TEST_F(RemovalTest, TellsWhatWasThere) {
  const auto removed = remove();
  ASSERT_TRUE(removed);
  EXPECT_EQ(*removed, (storage::TreeSize{3, 1, 1}));
  EXPECT_EQ(server_.items.size(), 1u);
}

TEST_F(RemovalTest, WhatIsNotDeletedTakesNoNameThatWasTakenMeanwhile) {
  server_.script = [&](auto call, auto) -> std::optional<ScriptedAdapter::Answer> {
    if (call != "remove_tree") return std::nullopt;
    server_.put("folder", Kind::folder);
    server_.put("folder/f", Kind::file, 7);
    return ScriptedAdapter::Answer{ErrorCode::refused};
  };
  EXPECT_EQ(remove().error().code, ErrorCode::refused);
  EXPECT_EQ(server_.size_of("folder/f"), 7u) << "the new file";
  const auto all = in_root("folder");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(server_.size_of(all.back() + "/f"), 3u) << "the old one, in sight";
}

TEST_F(RemovalTest, WhatIsNotDeletedIsBroughtBackOverConnectionsThatBreak) {
  int moves = 0;
  server_.script = [&](auto call, auto) -> std::optional<ScriptedAdapter::Answer> {
    if (call == "remove_tree") return ScriptedAdapter::Answer{ErrorCode::refused};
    if (call == "move" && ++moves == 2) return ScriptedAdapter::Answer{ErrorCode::unavailable};
    return std::nullopt;
  };
  EXPECT_EQ(remove().error().code, ErrorCode::refused);
  EXPECT_EQ(in_root("folder"), std::vector<ServerPath>{"folder"});
  EXPECT_EQ(server_.size_of("folder/f"), 3u);
}

TEST_F(RemovalTest, WhatIsLeftWhenTheServerIsLostIsAFailureAndGoesWhenItIsBack) {
  bool is_lost = false;
  server_.script = [&](auto call, auto) -> std::optional<ScriptedAdapter::Answer> {
    is_lost = is_lost || call == "remove_tree";
    if (!is_lost) return std::nullopt;
    return ScriptedAdapter::Answer{ErrorCode::unavailable};
  };
  EXPECT_EQ(remove().error().code, ErrorCode::unavailable);
  EXPECT_EQ(in_root("folder").size(), 0u) << "it is out of sight";
  run(sweep(server_));
  EXPECT_EQ(server_.items.size(), 3u);
  server_.script = [](auto, auto) { return std::nullopt; };
  run(sweep(server_));
  EXPECT_EQ(server_.items.size(), 1u);
}

TEST_F(RemovalTest, WhatIsOutOfSightKeepsItsNameUntilItIsRemoved) {
  server_.put(".coffer-bin", Kind::folder);
  server_.put(".coffer-bin/folder", Kind::folder);
  server_.put(".coffer-bin/folder/f", Kind::file, 3);
  server_.script = [](auto call, auto) -> std::optional<ScriptedAdapter::Answer> {
    if (call != "remove_tree") return std::nullopt;
    return ScriptedAdapter::Answer{ErrorCode::unavailable};
  };
  EXPECT_EQ(remove(".coffer-bin/folder").error().code, ErrorCode::unavailable);
  EXPECT_TRUE(server_.items.contains(".coffer-bin/folder/f"));
  EXPECT_FALSE(server_.leftovers().claim());
}

TEST_F(RemovalTest, AFolderThatIsGoneThoughTheAnswerWasLostDoesNotBringTheRestBack) {
  lose_the_answer_for_inner(true);
  const auto removed = remove();
  ASSERT_TRUE(removed);
  EXPECT_EQ(*removed, (storage::TreeSize{3, 1, 2}));
  EXPECT_EQ(server_.items.size(), 1u);
}

TEST_F(RemovalTest, AFolderThatStaysAfterALostAnswerIsAFailure) {
  lose_the_answer_for_inner(false);
  EXPECT_EQ(remove().error().code, ErrorCode::unavailable);
  EXPECT_TRUE(server_.items.contains("folder/inner"));
}

TEST(TreeItems, HaveTheirPlacesByTheFoldersThatTheyAreIn) {
  ScriptedAdapter server;
  for (const auto* folder : {"t", "t/a", "t/a/b", "t/c"}) server.put(folder, Kind::folder);
  for (const auto* file : {"t/a/b/x", "t/c/y", "t/z"}) server.put(file, Kind::file, 1);
  std::vector<TreeItem> items;
  const Found top{"t", server.items.at("t")};
  ASSERT_TRUE(run(measure(server, top, &items)));
  std::vector<std::string> places;
  for (std::size_t i = 0; i < items.size(); ++i) places.push_back("t" + below_top(items, i));
  std::ranges::sort(places);
  const std::vector<std::string> all{"t", "t/a", "t/a/b", "t/a/b/x", "t/c", "t/c/y", "t/z"};
  EXPECT_EQ(places, all);
}

TEST(Walks, AreGivenUpWhereFoldersToComeHaveTooLongPaths) {
  ScriptedAdapter server;
  const std::string long_name(400, 'n');
  server.put(long_name, Kind::folder);
  for (char c = 'a'; c < 'k'; ++c) server.put(long_name + '/' + c, Kind::folder);
  server.can.walk.name_bytes = 1000;
  const Found top{"", server.items.at("")};
  EXPECT_EQ(run(measure(server, top)).error().code, ErrorCode::refused);
  server.can.walk.name_bytes = 10'000;
  EXPECT_TRUE(run(measure(server, top)));
}

}  // namespace
}  // namespace coffer::remote
