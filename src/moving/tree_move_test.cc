#include "moving/tree_move.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "async/run.h"
#include "core/testing/hooked_backend.h"
#include "storage/testing/memory_backend.h"

namespace coffer::moving {
namespace {

using Trust = TreeMove::Trust;

Path path(std::string_view text) {
  return Path::parse(text).value();
}

class TreeMoveTest : public testing::Test {
 protected:
  static void write(storage::Backend& home, std::string_view name, std::string_view text,
                    Timestamp time = Timestamp(std::chrono::seconds(1000))) {
    storage::WriteOptions options;
    options.modified_at = time;
    auto writer = run(home.create(path(name), options)).value();
    ASSERT_TRUE(run(writer->write(std::as_bytes(std::span(text)))));
    ASSERT_TRUE(run(home.publish(std::span(&writer, 1), UINT64_MAX)));
  }
  static std::string read(storage::Backend& home, std::string_view name) {
    const auto reader = run(home.open(path(name)));
    if (!reader) return "(missing)";
    std::string text((*reader)->entry().size_bytes, ' ');
    EXPECT_EQ(run((*reader)->read(0, std::as_writable_bytes(std::span(text)))).value(),
              text.size());
    return text;
  }
  static std::set<std::string> names(storage::Backend& home, const Path& top = {}) {
    std::set<std::string> all;
    const auto listed = run(home.list(top)).value();
    for (const auto& entry : listed) {
      const Path item = top / path(entry.name);
      all.insert(item.str() + (entry.is_directory ? "/" : ""));
      if (entry.is_directory) all.merge(names(home, item));
    }
    return all;
  }
  Result<bool> pass(Trust trust) { return run(move_.pass(trust)); }

  storage::MemoryBackend source_;
  storage::MemoryBackend target_;
  MoveProgress progress_;
  bool must_stop_ = false;
  std::set<std::string> changed_;  ///< Files whose content is told to differ.
  static Task<Result<bool>> answer(bool is_same) { co_return is_same; }
  TreeMove move_{{source_, target_, [this] { return must_stop_; }},
                 [this](Path file) { return answer(!changed_.contains(file.str())); },
                 progress_};
};

TEST_F(TreeMoveTest, MovesAllAndFindsItTheSame) {
  ASSERT_TRUE(run(source_.make_folder(path("a/b/empty"))));
  ASSERT_TRUE(run(source_.make_folder(path(".coffer-bin"))));
  write(source_, "a/one", "one");
  write(source_, "a/b/none", "");
  write(source_, ".coffer-bin/0123", "deleted");
  write(source_, "large", std::string(3 << 20, 'x'));
  EXPECT_EQ(pass(Trust::content), false);
  EXPECT_EQ(progress_.files, 4U);
  EXPECT_EQ(progress_.bytes, 10U + (3 << 20));
  EXPECT_EQ(pass(Trust::time), true);
  EXPECT_EQ(progress_.files, 4U);
  EXPECT_EQ(names(target_), names(source_));
  EXPECT_EQ(read(target_, "a/one"), "one");
  EXPECT_EQ(read(target_, "large").size(), 3U << 20);
  EXPECT_EQ(run(target_.stat(path("a/one"))).value().modified_at,
            Timestamp(std::chrono::seconds(1000)));
}

TEST_F(TreeMoveTest, AnEmptyTreeIsTheSameAtOnce) {
  EXPECT_EQ(pass(Trust::content), true);
}

TEST_F(TreeMoveTest, LeavesOutTheStagingFolderAtTheTopAlone) {
  ASSERT_TRUE(run(source_.make_folder(path("a/.coffer-staging"))));
  ASSERT_TRUE(run(source_.make_folder(path(".coffer-staging/x"))));
  EXPECT_EQ(pass(Trust::content), false);
  EXPECT_EQ(names(target_), (std::set<std::string>{"a/", "a/.coffer-staging/"}));
}

TEST_F(TreeMoveTest, WhatIsThereIsLookedAtAndKeptIfItIsTheSame) {
  write(source_, "same", "text");
  write(source_, "other", "text");
  write(target_, "same", "kept");  // As if its content were the same.
  write(target_, "other", "left");
  changed_ = {"other"};
  EXPECT_EQ(pass(Trust::content), false);
  EXPECT_EQ(read(target_, "same"), "kept");
  EXPECT_EQ(read(target_, "other"), "text");
  EXPECT_EQ(progress_.files, 2U);
}

TEST_F(TreeMoveTest, WhatHasAnotherTimeOrSizeIsMovedAgain) {
  write(source_, "time", "text");
  write(source_, "size", "text");
  write(target_, "time", "left", Timestamp(std::chrono::seconds(1001)));
  write(target_, "size", "longer");
  EXPECT_EQ(pass(Trust::time), false);
  EXPECT_EQ(read(target_, "time"), "text");
  EXPECT_EQ(read(target_, "size"), "text");
  EXPECT_EQ(pass(Trust::time), true);
}

TEST_F(TreeMoveTest, WhatIsInTheTargetAloneGoes) {
  ASSERT_TRUE(run(source_.make_folder(path("was-file"))));
  write(source_, "was-folder", "text");
  write(target_, "was-file", "text");
  ASSERT_TRUE(run(target_.make_folder(path("was-folder/below"))));
  ASSERT_TRUE(run(target_.make_folder(path("gone/below"))));
  write(target_, ".coffer-part-of-a-copy", "text");
  EXPECT_EQ(pass(Trust::content), false);
  EXPECT_EQ(names(target_), (std::set<std::string>{"was-file/", "was-folder"}));
}

TEST_F(TreeMoveTest, AFolderOfManyFilesOfWhichSomeAreThere) {
  ASSERT_TRUE(run(source_.make_folder(path("many/f/below"))));
  ASSERT_TRUE(run(target_.make_folder(path("many"))));
  for (int i = 0; i < 12'000; ++i) {
    const std::string name = fmt::format("many/{}", i);
    write(source_, name, name);
    if (i % 3 == 0) write(target_, name, name);
    if (i % 5 == 0) write(target_, fmt::format("many/{}.other", i), "");
    if (i % 7 == 0) write(target_, name, "left");
  }
  EXPECT_EQ(pass(Trust::content), false);
  EXPECT_EQ(progress_.files, 12'000U);
  EXPECT_EQ(names(target_), names(source_));
  EXPECT_EQ(read(target_, "many/7"), "many/7");
  EXPECT_EQ(pass(Trust::time), true);
}

TEST_F(TreeMoveTest, StopsAndGoesOn) {
  write(source_, "one", "one");
  must_stop_ = true;
  EXPECT_EQ(pass(Trust::content).error().code, ErrorCode::conflict);
  must_stop_ = false;
  EXPECT_EQ(pass(Trust::content), false);
  EXPECT_EQ(read(target_, "one"), "one");
}

TEST_F(TreeMoveTest, WhatIsReadBackOtherwiseIsNotMoved) {
  write(source_, "file", "text");
  core::HookedBackend damaging(target_);
  damaging.hooks.before = [this](std::string_view call, const Path& file) -> std::optional<Error> {
    if (call == "open") write(target_, file.str(), "tex!");
    return std::nullopt;
  };
  TreeMove move(
      {source_, damaging, [] { return false; }}, [](Path) { return answer(true); }, progress_);
  const auto moved = run(move.pass(Trust::content));
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::failed);
  EXPECT_TRUE(moved.error().message.starts_with("\"file\": ")) << moved.error().message;
  EXPECT_EQ(read(target_, "file"), "(missing)");
}

TEST_F(TreeMoveTest, AFileThatChangesMeanwhileIsCopiedAgain) {
  write(source_, "file", "before");
  core::HookedBackend changing(source_);
  int changes = 2;
  changing.hooks.after = [&](std::string_view call, const Path& file) -> std::optional<Error> {
    if (call == "open" && changes-- > 0) write(source_, file.str(), "after!");
    return std::nullopt;
  };
  TreeMove move(
      {changing, target_, [] { return false; }}, [](Path) { return answer(true); }, progress_);
  EXPECT_EQ(run(move.pass(Trust::content)), false);
  EXPECT_EQ(read(target_, "file"), "after!");
  EXPECT_EQ(progress_.bytes, 6U);
  EXPECT_EQ(names(target_), std::set<std::string>{"file"});
}

TEST_F(TreeMoveTest, AFileThatGoesMeanwhileIsNotMoved) {
  write(source_, "file", "text");
  write(source_, "other", "text");
  core::HookedBackend going(source_);
  going.hooks.before = [&](std::string_view call, const Path& file) -> std::optional<Error> {
    if (call == "open" && file == path("file")) (void)run(source_.remove(file));
    return std::nullopt;
  };
  TreeMove move(
      {going, target_, [] { return false; }}, [](Path) { return answer(true); }, progress_);
  EXPECT_EQ(run(move.pass(Trust::content)), false);
  EXPECT_EQ(run(move.pass(Trust::time)), true);
  EXPECT_EQ(names(target_), std::set<std::string>{"other"});
}

TEST_F(TreeMoveTest, AFailureNamesItsItem) {
  ASSERT_TRUE(run(source_.make_folder(path("a"))));
  write(source_, "a/file", "text");
  core::HookedBackend away(target_);
  away.hooks.before = [](std::string_view call, const Path&) -> std::optional<Error> {
    if (call == "publish") return Error{ErrorCode::unready, "The store is away."};
    return std::nullopt;
  };
  TreeMove move(
      {source_, away, [] { return false; }}, [](Path) { return answer(true); }, progress_);
  const auto moved = run(move.pass(Trust::content));
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().message, "\"a/file\": The store is away.");
  EXPECT_EQ(progress_.bytes, 0U);
}

}  // namespace
}  // namespace coffer::moving
