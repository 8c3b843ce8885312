#include <chrono>

#include "core/testing/move_fixture.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;
using storage::TreeSize;

TEST_F(TransferMoveTest, MovesAFile) {
  EXPECT_EQ(move("file", "moved"), (TreeSize{7, 1, 0}));
  EXPECT_EQ(contents_of(target_), (Contents{{"moved", "content"}}));
  EXPECT_FALSE(contents_of(source_).contains("file"));
  EXPECT_EQ(progress_.removed(), (TreeSize{7, 1, 0}));
  EXPECT_FALSE(progress_.kept());
}

TEST_F(TransferMoveTest, MovesATree) {
  EXPECT_EQ(move("a", "a"), (TreeSize{6, 2, 3}));
  Contents expected = before_;
  expected.erase("file");
  EXPECT_EQ(contents_of(target_), expected);
  EXPECT_EQ(contents_of(source_), (Contents{{"file", "content"}}));
  EXPECT_EQ(progress_.removed(), (TreeSize{6, 2, 3}));
}

TEST_F(TransferMoveTest, AFolderThatAServerOnlySaysToHaveRenamedStays) {
  to_.hooks.is_remote = true;
  for (const char* lost : {"a", "a/b", "a/1"}) {
    to_.hooks.after = [this, lost](std::string_view call, const Path&) {
      if (call == "rename") erase(target_, lost);
      return std::optional<Error>();
    };
    EXPECT_EQ(code_of(move("a", "a")), ErrorCode::conflict) << lost;
    EXPECT_EQ(contents_of(source_), before_) << lost;
    if (contents_of(target_).contains("a/")) erase(target_, "a");
  }
  to_.hooks.after = nullptr;
  EXPECT_TRUE(move("a", "a"));
}

TEST_F(TransferMoveTest, DoesNotMoveTheRoot) {
  EXPECT_EQ(code_of(move("", "a")), ErrorCode::forbidden);
  EXPECT_EQ(contents_of(target_), Contents{});
}

TEST_F(TransferMoveTest, AFileThatGrewStays) {
  meanwhile([this] { put(source_, "a/b/2", "longer", kTime); });
  expect_refused(move("a", "a"));
  EXPECT_EQ(contents_of(source_).at("a/b/2"), "longer");
}

TEST_F(TransferMoveTest, AFileWithAnotherTimeStays) {
  meanwhile([this] { put(source_, "a/b/2", "TWO", kTime + 1s); });
  expect_refused(move("a", "a"));
}

TEST_F(TransferMoveTest, AFileThatWasReplacedWithinItsTimeStays) {
  meanwhile([this] { put(source_, "a/b/2", "TWO", kTime); });
  expect_refused(move("a", "a"));
}

TEST_F(TransferMoveTest, ATreeThatGotAnotherFileStays) {
  meanwhile([this] { put(source_, "a/b/empty/new", "new"); });
  expect_refused(move("a", "a"));
  EXPECT_EQ(contents_of(source_).at("a/b/empty/new"), "new");
}

TEST_F(TransferMoveTest, ATreeThatGotAnotherFolderStays) {
  meanwhile([this] { put_folder(source_, "a/new"); });
  expect_refused(move("a", "a"));
}

TEST_F(TransferMoveTest, ATreeThatLostAFileStays) {
  meanwhile([this] { erase(source_, "a/b/2"); });
  expect_refused(move("a", "a"));
}

TEST_F(TransferMoveTest, ATreeThatWasTakenAwayIsNotMoved) {
  meanwhile([this] { erase(source_, "a"); });
  expect_refused(move("a", "a"));
}

TEST_F(TransferMoveTest, ASingleFileThatChangedStays) {
  meanwhile([this] { put(source_, "file", "CONTENT", kTime + 1s); });
  expect_refused(move("file", "file"));
  meanwhile([this] { erase(source_, "file"); });
  expect_refused(move("file", "file"));
}

TEST_F(TransferMoveTest, WhatCannotBeTakenAlongIsNotLost) {
  from_.hooks.hides = [](const Path& folder) { return folder.str() == "a/b"; };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::invalid);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_EQ(contents_of(target_), Contents{});
  EXPECT_TRUE(copy("a", "a"));
}

TEST_F(TransferMoveTest, AFolderGoesNotIntoItselfByAnotherWayEither) {
  for (const std::string inner : {"a", "a/b"}) {
    const auto within = source_.beneath(path_of(inner));
    const TransferEnd from{from_, path_of("a")};
    const TransferEnd to{*within, path_of("a")};
    for (const bool moves : {true, false}) {
      auto work = moves ? transfer_move(from, to, options_, progress_)
                        : transfer(from, to, options_, progress_);
      EXPECT_EQ(code_of(run(std::move(work))), ErrorCode::invalid) << inner;
      EXPECT_EQ(contents_of(source_), before_);
    }
  }
}

TEST_F(TransferMoveTest, NorWhereAServerHidesWhatIsCollected) {
  const auto within = source_.beneath(path_of("a/b"));
  from_.hooks.list = [](const Path&, std::vector<storage::Entry>& entries) {
    std::erase_if(entries, [](const auto& entry) { return entry.name.starts_with("."); });
  };
  const TransferEnd from{from_, path_of("a")};
  const TransferEnd to{*within, path_of("a")};
  const auto moved = run(transfer_move(from, to, options_, progress_));
  ASSERT_EQ(code_of(moved), ErrorCode::conflict);
  EXPECT_EQ(from_.seen.calls["remove"], 0);
  EXPECT_EQ(contents_of(source_).at("a/b/2"), "two");
  EXPECT_TRUE(progress_.kept());
}

TEST_F(TransferMoveTest, WhatVanishedBeforeItWasCopiedIsNoChange) {
  from_.hooks.before = [this](std::string_view call, const Path& path) {
    if (call == "open" && path.str() == "a/1") erase(source_, "a/1");
    return std::optional<Error>();
  };
  EXPECT_EQ(move("a", "a"), (TreeSize{3, 1, 3}));
  EXPECT_EQ(contents_of(source_), (Contents{{"file", "content"}}));
}

TEST_F(TransferMoveTest, AFolderThatVanishedBeforeItWasCopiedIsNoChange) {
  from_.hooks.before = [this, left = 1](std::string_view call, const Path& path) mutable {
    if (call == "list" && path.str() == "a/b/empty" && left-- == 1) erase(source_, "a/b/empty");
    return std::optional<Error>();
  };
  EXPECT_EQ(move("a", "a"), (TreeSize{6, 2, 2}));
}

TEST_F(TransferMoveTest, ASourceThatCannotBeLookedAtAgainStays) {
  from_.hooks.before = [this](std::string_view call, const Path&) {
    const bool again = from_.seen.calls["list"] > 3 || from_.seen.calls["stat"] > 1;
    return again && call != "remove" ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::unavailable);
  from_.seen.calls.clear();
  EXPECT_EQ(code_of(move("file", "file")), ErrorCode::unavailable);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_EQ(contents_of(target_), Contents{});
}

TEST_F(TransferMoveTest, AFailureBeforeItShowsLeavesTheSourceWhole) {
  for (const auto* call : {"stat", "make_folder", "create", "publish", "rename"}) {
    to_.hooks.before = [&](std::string_view name, const Path&) {
      return name == call ? std::optional(kBroken) : std::nullopt;
    };
    EXPECT_EQ(code_of(move("a", "a")), ErrorCode::unavailable) << call;
    EXPECT_EQ(contents_of(source_), before_);
    EXPECT_EQ(contents_of(target_), Contents{});
  }
  to_.hooks.before = nullptr;
  options_.limit_bytes = 5;
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::over_quota);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_EQ(contents_of(target_), Contents{});
}

TEST_F(TransferMoveTest, AWrongCopyLeavesTheSourceWhole) {
  to_.hooks.show = [](const Path&, storage::Entry& entry) { entry.size_bytes = 1; };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::failed);
  EXPECT_EQ(contents_of(target_), Contents{});
  EXPECT_EQ(code_of(move("file", "file")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(source_), before_);
}

}  // namespace
}  // namespace coffer::core
