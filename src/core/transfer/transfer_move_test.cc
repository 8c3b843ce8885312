#include <chrono>

#include "core/testing/transfer_fixture.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;
using storage::TreeSize;

const Timestamp kTime = Timestamp(1'000'000'000s);
const Error kBroken{ErrorCode::unavailable, "The connection broke."};

class TransferMoveTest : public TransferTest {
 protected:
  TransferMoveTest() {
    put_folder(source_, "a/b/empty");
    put(source_, "a/1", "one", kTime);
    put(source_, "a/b/2", "two", kTime);
    put(source_, "file", "content", kTime);
    before_ = contents_of(source_);
  }

  /// Does something to the source when all of it was copied, just before it is looked at again.
  void meanwhile(std::function<void()> change) {
    from_.hooks.before = [change = std::move(change), looks = 0](std::string_view call,
                                                                 const Path& path) mutable {
      const bool is_look =
          (call == "list" && path.str() == "a") || (call == "stat" && path.str() == "file");
      if (is_look && ++looks == 2) change();
      return std::optional<Error>();
    };
  }

  void expect_refused(const Result<TreeSize>& moved) {
    ASSERT_EQ(code_of(moved), ErrorCode::conflict);
    EXPECT_NE(moved.error().message.find("source changed"), std::string::npos);
    EXPECT_EQ(contents_of(target_), Contents{});
    EXPECT_EQ(from_.seen.calls["remove"], 0);
    EXPECT_FALSE(progress_.kept());
    EXPECT_FALSE(progress_.removed());
  }

  Contents before_;
};

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
  const auto within = source_.beneath(path_of("a/b"));
  const TransferEnd from{from_, path_of("a")};
  const TransferEnd to{*within, path_of("a")};
  for (const bool moves : {true, false}) {
    auto work = moves ? transfer_move(from, to, options_, progress_)
                      : transfer(from, to, options_, progress_);
    EXPECT_EQ(code_of(run(std::move(work))), ErrorCode::invalid);
    EXPECT_EQ(contents_of(source_), before_);
  }
}

TEST_F(TransferMoveTest, NorDirectlyIntoItself) {
  const auto within = source_.beneath(path_of("a"));
  const TransferEnd from{from_, path_of("a")};
  const TransferEnd to{*within, path_of("a")};
  for (const bool moves : {true, false}) {
    auto work = moves ? transfer_move(from, to, options_, progress_)
                      : transfer(from, to, options_, progress_);
    EXPECT_EQ(code_of(run(std::move(work))), ErrorCode::invalid);
    EXPECT_EQ(contents_of(source_), before_);
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

TEST_F(TransferMoveTest, WhatIsAddedWhileTheItemIsShownStays) {
  to_.hooks.after = [this](std::string_view call, const Path&) {
    if (call == "rename") put(source_, "a/new", "new");
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(source_).at("a/new"), "new");
  EXPECT_EQ(contents_of(target_).at("a/1"), "one");
  EXPECT_TRUE(progress_.kept());
}

TEST_F(TransferMoveTest, WhatComesUntilTheSourceHasItsOtherNameStays) {
  for (const std::string item : {"a", "file"}) {
    const std::string changed = item == "a" ? "a/new" : "file";
    from_.hooks.before = [=, this](std::string_view call, const Path& path) {
      if (call == "rename" && path.str() == item) put(source_, changed, "late");
      return std::optional<Error>();
    };
    EXPECT_EQ(code_of(move(item, item)), ErrorCode::conflict);
    EXPECT_EQ(contents_of(source_).at(changed), "late");
    EXPECT_EQ(from_.seen.calls["remove"], 0);
    EXPECT_TRUE(progress_.kept());
  }
  EXPECT_EQ(contents_of(source_).size(), before_.size() + 1) << "no other name is left";
}

TEST_F(TransferMoveTest, NothingComesToASourceThatIsDeleted) {
  std::optional<ErrorCode> late;
  from_.hooks.before = [&](std::string_view call, const Path&) {
    const Path target = path_of("a/late");
    if (call == "remove") late = code_of(run(source_.create(target, {})));
    return std::optional<Error>();
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(late, ErrorCode::not_found);
}

TEST_F(TransferMoveTest, AChangedSourceWhoseNameWasTakenStandsBesideIt) {
  from_.hooks.after = [this](std::string_view call, const Path& path) {
    if (call == "rename" && path.str() == "a") put_folder(source_, "a/another");
    return std::optional<Error>();
  };
  from_.hooks.before = [this](std::string_view call, const Path& path) {
    if (call == "rename" && path.str() == "a") put(source_, "a/new", "new");
    return std::optional<Error>();
  };
  const auto moved = move("a", "a");
  EXPECT_EQ(code_of(moved), ErrorCode::conflict);
  const auto& message = moved.error().message;
  const auto begin = message.find("a (not moved ");
  ASSERT_NE(begin, std::string::npos);
  const auto beside = message.substr(begin, message.rfind('"') - begin);
  EXPECT_EQ(contents_of(source_).at(beside + "/new"), "new");
  EXPECT_TRUE(contents_of(source_).contains("a/another/"));
}

TEST_F(TransferMoveTest, ALostAnswerToTheOtherNameIsNoFailure) {
  from_.hooks.after = [left = 1](std::string_view call, const Path&) mutable {
    return call == "rename" && left-- == 1 ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(contents_of(source_), (Contents{{"file", "content"}}));
}

TEST_F(TransferMoveTest, AConnectionThatBreaksBeforeTheOtherNameIsMadeAnew) {
  from_.hooks.before = [left = 1](std::string_view call, const Path&) mutable {
    return call == "rename" && left-- == 1 ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(contents_of(source_), (Contents{{"file", "content"}}));
}

TEST_F(TransferMoveTest, AConnectionThatBreaksWhileTheSourceGetsItsNameBackIsMadeAnew) {
  from_.hooks.before = [renames = 0](std::string_view call, const Path&) mutable {
    const bool breaks = call == "remove" || (call == "rename" && ++renames == 2);
    return breaks ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::unavailable);
  EXPECT_EQ(contents_of(source_), before_);
}

TEST_F(TransferMoveTest, TheSourceShowsUntilItIsDeleted) {
  std::optional<Contents> last;
  from_.hooks.before = [&](std::string_view call, const Path& path) {
    if (call != "remove") return std::optional<Error>();
    EXPECT_FALSE(storage::is_partial_name(path.name()));
    last = contents_of(source_);
    return std::optional<Error>();
  };
  EXPECT_TRUE(move("file", "file"));
  ASSERT_EQ(last->size(), before_.size());
  EXPECT_EQ(std::prev(last->end())->second, "content");
}

TEST_F(TransferMoveTest, AParentThatIsRenamedMeanwhileKeepsTheSource) {
  for (const std::string call : {"list", "remove"}) {
    put_folder(source_, "p/a");
    put(source_, "p/a/1", "one");
    from_.hooks.before = [=, this, left = 1](std::string_view name, const Path& path) mutable {
      const bool is_aside = path.str().starts_with("p/a (not moved ");
      if (name == call && is_aside && left-- == 1) {
        EXPECT_TRUE(run(source_.rename(path_of("p"), path_of("q"))));
      }
      return std::optional<Error>();
    };
    EXPECT_EQ(code_of(move("p/a", "a")), ErrorCode::conflict) << call;
    auto left = contents_of(source_);
    EXPECT_EQ(std::erase_if(left,
                            [](const auto& item) {
                              return item.first.starts_with("q/a (not moved ") &&
                                     item.second == "one";
                            }),
              1U)
        << call;
    erase(source_, "q");
    erase(target_, "a");
  }
}

TEST_F(TransferMoveTest, ASourceThatGotItsOtherNameThoughThatFailedHasItsNameAgain) {
  from_.hooks.after = [left = 2](std::string_view call, const Path&) mutable {
    return call == "rename" && left-- > 0 ? std::optional(Error{ErrorCode::failed, "No."})
                                          : std::nullopt;
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::failed);
  EXPECT_EQ(contents_of(source_), before_);
}

TEST_F(TransferMoveTest, WhereNamesChangeInStepsTheSourceKeepsItsName) {
  from_.hooks.renames_in_steps = true;
  EXPECT_TRUE(move("a", "a"));
  EXPECT_TRUE(move("file", "file"));
  EXPECT_EQ(from_.seen.calls["rename"], 0);
  EXPECT_EQ(contents_of(source_), Contents{});
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

TEST_F(TransferMoveTest, ASourceThatAnotherTookAwayOnceItsCopyShowsIsAConflict) {
  from_.hooks.before = [this](std::string_view call, const Path& path) {
    if (call == "rename") erase(source_, path.str());
    return std::optional<Error>();
  };
  for (const std::string item : {"a", "file"}) {
    EXPECT_EQ(code_of(move(item, item)), ErrorCode::conflict) << item;
  }
  EXPECT_EQ(contents_of(target_), before_);
}

TEST_F(TransferMoveTest, ACopyThatAnotherTookAwayBeforeItIsFollowedIsAConflict) {
  options_.on_shown = []() -> Task<Result<void>> {
    co_return fail(ErrorCode::not_found, "It is gone.");
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(source_), before_);
}

TEST_F(TransferMoveTest, ASourceThatCannotBeDeletedStaysBesideItsWholeCopy) {
  from_.hooks.before = [](std::string_view call, const Path&) {
    return call == "remove" ? std::optional<Error>({ErrorCode::forbidden, "It is protected."})
                            : std::nullopt;
  };
  const auto moved = move("a", "a");
  ASSERT_EQ(code_of(moved), ErrorCode::forbidden);
  EXPECT_EQ(moved.error().message,
            "It was copied to its new place, but could not all be deleted from the old one: It is "
            "protected.");
  EXPECT_EQ(from_.seen.calls["remove"], 2);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_EQ(contents_of(target_).at("a/b/2"), "two");
  EXPECT_EQ(progress_.kept(), (TreeSize{6, 2, 3}));
  EXPECT_FALSE(progress_.removed());
}

TEST_F(TransferMoveTest, IsToldWhenTheItemShowsAndTheSourceIsStillThere) {
  int told = 0;
  options_.on_shown = [&]() -> Task<Result<void>> {
    ++told;
    EXPECT_EQ(contents_of(target_).at("a/1"), "one");
    EXPECT_EQ(contents_of(source_), before_);
    co_return Result<void>();
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(told, 1);
}

TEST_F(TransferMoveTest, TellsThatTheSourceLeavesBeforeItsDeletion) {
  for (const bool in_steps : {false, true}) {
    const std::string item = in_steps ? "file" : "a";
    from_.hooks.renames_in_steps = in_steps;
    int told = 0;
    options_.on_leaving = [&]() -> Task<Result<void>> {
      ++told;
      EXPECT_EQ(from_.seen.calls["remove"], in_steps ? 1 : 0);
      EXPECT_EQ(contents_of(source_).contains("file"), true);
      EXPECT_EQ(contents_of(source_).contains("a/"), false);
      co_return Result<void>();
    };
    EXPECT_TRUE(move(item, item));
    EXPECT_EQ(told, 1);
  }
}

TEST_F(TransferMoveTest, WhatCannotLeaveStaysUnderItsName) {
  options_.on_leaving = []() -> Task<Result<void>> { co_return fail(ErrorCode::failed, "No."); };
  for (const bool in_steps : {false, true}) {
    from_.hooks.renames_in_steps = in_steps;
    EXPECT_EQ(code_of(move(in_steps ? "file" : "a", in_steps ? "file" : "a")), ErrorCode::failed);
  }
  EXPECT_EQ(from_.seen.calls["remove"], 0);
  EXPECT_EQ(contents_of(source_), before_);
}

TEST_F(TransferMoveTest, WhatTheCallerCannotFollowStaysBesideItsWholeCopy) {
  options_.on_shown = []() -> Task<Result<void>> { co_return fail(ErrorCode::failed, "No."); };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::failed);
  EXPECT_EQ(from_.seen.calls["remove"], 0);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_EQ(progress_.kept(), (TreeSize{6, 2, 3}));
}

TEST_F(TransferMoveTest, ADeletionThatBreaksOffLosesNothing) {
  from_.hooks.before = [this, times = 0](std::string_view call, const Path& path) mutable {
    if (call != "remove") return std::optional<Error>();
    if (++times == 1) erase(source_, path.str() + "/1");
    return std::optional<Error>(kBroken);
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::unavailable);
  EXPECT_EQ(contents_of(target_).at("a/1"), "one");
  EXPECT_EQ(contents_of(target_).at("a/b/2"), "two");
  EXPECT_TRUE(progress_.kept());
}

TEST_F(TransferMoveTest, ALostAnswerToTheDeletionIsNoFailure) {
  from_.hooks.after = [left = 1](std::string_view call, const Path&) mutable {
    return call == "remove" && left-- == 1 ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(contents_of(source_), (Contents{{"file", "content"}}));
  EXPECT_FALSE(progress_.kept());
}

}  // namespace
}  // namespace coffer::core
