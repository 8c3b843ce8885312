// What becomes of a move's source once the item shows at its new place.

#include "core/testing/move_fixture.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using storage::TreeSize;

class TransferLeavingTest : public TransferMoveTest {};

TEST_F(TransferLeavingTest, WhatIsAddedWhileTheItemIsShownStays) {
  to_.hooks.after = [this](std::string_view call, const Path&) {
    if (call == "rename") put(source_, "a/new", "new");
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(source_).at("a/new"), "new");
  EXPECT_EQ(contents_of(target_).at("a/1"), "one");
  EXPECT_TRUE(progress_.kept());
}

TEST_F(TransferLeavingTest, WhatComesUntilTheSourceHasItsOtherNameStays) {
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

TEST_F(TransferLeavingTest, NothingComesToASourceThatIsDeleted) {
  std::optional<ErrorCode> late;
  from_.hooks.before = [&](std::string_view call, const Path&) {
    const Path target = path_of("a/late");
    if (call == "remove") late = code_of(run(source_.create(target, {})));
    return std::optional<Error>();
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(late, ErrorCode::not_found);
}

TEST_F(TransferLeavingTest, AChangedSourceWhoseNameWasTakenStandsBesideIt) {
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
  EXPECT_TRUE(progress_.lost_source());
}

TEST_F(TransferLeavingTest, ALostAnswerToTheOtherNameIsNoFailure) {
  from_.hooks.after = [left = 1](std::string_view call, const Path&) mutable {
    return call == "rename" && left-- == 1 ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(contents_of(source_), (Contents{{"file", "content"}}));
}

TEST_F(TransferLeavingTest, AConnectionThatBreaksBeforeTheOtherNameIsMadeAnew) {
  from_.hooks.before = [left = 1](std::string_view call, const Path&) mutable {
    return call == "rename" && left-- == 1 ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(contents_of(source_), (Contents{{"file", "content"}}));
}

TEST_F(TransferLeavingTest, AConnectionThatBreaksWhileTheSourceGetsItsNameBackIsMadeAnew) {
  from_.hooks.before = [renames = 0](std::string_view call, const Path&) mutable {
    const bool breaks = call == "remove" || (call == "rename" && ++renames == 2);
    return breaks ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::unavailable);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_FALSE(progress_.lost_source());
}

TEST_F(TransferLeavingTest, ASourceWhoseServerIsAwayOnceItWasRenamedMayHaveLostItsName) {
  for (const bool passes : {false, true}) {
    auto cut = [away = false](std::string_view call, const Path& path) mutable {
      away = away || (call == "rename" && path.str() == "a");
      return away ? std::optional(kBroken) : std::nullopt;
    };
    (passes ? from_.hooks.after : from_.hooks.before) = cut;
    EXPECT_EQ(code_of(move("a", "a")), ErrorCode::unavailable);
    EXPECT_TRUE(progress_.lost_source());
    from_.hooks = {};
    erase(target_, "a");
  }
}

TEST_F(TransferLeavingTest, ASourceThatCannotBeRenamedKeepsItsName) {
  from_.hooks.before = [](std::string_view call, const Path&) {
    return call == "rename" ? std::optional<Error>({ErrorCode::forbidden, "No."}) : std::nullopt;
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::forbidden);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_FALSE(progress_.lost_source());
}

TEST_F(TransferLeavingTest, TheSourceShowsUntilItIsDeleted) {
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

TEST_F(TransferLeavingTest, AParentThatIsRenamedMeanwhileKeepsTheSource) {
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

TEST_F(TransferLeavingTest, ASourceThatGotItsOtherNameThoughThatFailedHasItsNameAgain) {
  from_.hooks.after = [left = 2](std::string_view call, const Path&) mutable {
    return call == "rename" && left-- > 0 ? std::optional(Error{ErrorCode::failed, "No."})
                                          : std::nullopt;
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::failed);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_TRUE(progress_.lost_source()) << "the second rename failed too";
}

TEST_F(TransferLeavingTest, AnotherFolderThatGotTheOtherNameIsNotTheSource) {
  from_.hooks.before = [this, looks = 0](std::string_view call, const Path& path) mutable {
    if (call != "list" || !path.str().starts_with("a (not moved ") || looks++ > 0) {
      return std::optional<Error>();
    }
    EXPECT_TRUE(run(source_.rename(path, path_of("y"))));
    put_folder(source_, path.str());
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::conflict);
  EXPECT_TRUE(contents_of(source_).contains("y/1"));
  EXPECT_TRUE(progress_.lost_source());
}

TEST_F(TransferLeavingTest, ASourceThatGrowsWithoutEndIsLookedAtNoLongerThanItWasCopied) {
  int looks = 0;
  from_.hooks.before = [&](std::string_view call, const Path& path) {
    if (call == "list" && path.str().starts_with("a (not moved ") && ++looks < 1000) {
      put_folder(source_, path.str() + "/more");
    }
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(source_).at("a/1"), "one");
  EXPECT_LE(looks, 8);
}

TEST_F(TransferLeavingTest, ARightThatIsLostEndsTheLastLook) {
  bool is_lost = false;
  options_.recheck = [&] {
    return done_with(is_lost ? fail(ErrorCode::forbidden, "No.") : Result<void>());
  };
  from_.hooks.after = [&](std::string_view call, const Path& path) {
    is_lost = is_lost || (call == "rename" && path.str() == "a");
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::forbidden);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_FALSE(progress_.lost_source());
}

TEST_F(TransferLeavingTest, WhatOnlyHasANameOfOursIsNotLeftBehindAndDeleted) {
  for (const std::string name : {".Coffer-Bin", ".coffer-bin", ".COFFER-STAGING"}) {
    put(source_, "a/" + name, "of a person");
    EXPECT_EQ(code_of(move("a", "a")), ErrorCode::invalid) << name;
    EXPECT_TRUE(contents_of(source_).contains("a/" + name)) << name;
    erase(source_, "a/" + name);
  }
  EXPECT_TRUE(move("a", "a"));
}

TEST_F(TransferLeavingTest, ACancellationEndsTheLastLook) {
  from_.hooks.after = [&](std::string_view call, const Path& path) {
    if (call == "rename" && path.str() == "a") {
      progress_.cancel(Error{ErrorCode::forbidden, "The right is gone."});
    }
    return std::optional<Error>();
  };
  const auto moved = move("a", "a");
  ASSERT_EQ(code_of(moved), ErrorCode::forbidden);
  EXPECT_TRUE(moved.error().message.ends_with(": The right is gone.")) << moved.error().message;
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_TRUE(progress_.kept());
}

TEST_F(TransferLeavingTest, TellsThatTheItemDoesNotShowBeforeWhatIsStoredIsRemoved) {
  int told = 0;
  options_.on_not_shown = [&]() -> Task<void> {
    ++told;
    EXPECT_EQ(to_.seen.calls["remove"], 0);
    co_return;
  };
  to_.hooks.before = [](std::string_view call, const Path&) {
    return call == "rename" ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::unavailable);
  EXPECT_EQ(told, 1);
  EXPECT_GT(to_.seen.calls["remove"], 0);
}

TEST_F(TransferLeavingTest, WhereNamesChangeInStepsTheSourceKeepsItsName) {
  from_.hooks.renames_in_steps = true;
  EXPECT_TRUE(move("a", "a"));
  EXPECT_TRUE(move("file", "file"));
  EXPECT_EQ(from_.seen.calls["rename"], 0);
  EXPECT_EQ(contents_of(source_), Contents{});
}

TEST_F(TransferLeavingTest, ASourceThatAnotherTookAwayOnceItsCopyShowsIsAConflict) {
  from_.hooks.before = [this](std::string_view call, const Path& path) {
    if (call == "rename") erase(source_, path.str());
    return std::optional<Error>();
  };
  for (const std::string item : {"a", "file"}) {
    EXPECT_EQ(code_of(move(item, item)), ErrorCode::conflict) << item;
  }
  EXPECT_EQ(contents_of(target_), before_);
  EXPECT_TRUE(progress_.lost_source());
}

TEST_F(TransferLeavingTest, ACopyThatAnotherTookAwayBeforeItIsFollowedIsAConflict) {
  options_.on_leaving = []() -> Task<Result<void>> {
    co_return fail(ErrorCode::not_found, "It is gone.");
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_FALSE(progress_.lost_source());
}

TEST_F(TransferLeavingTest, ASourceThatCannotBeDeletedStaysBesideItsWholeCopy) {
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

TEST_F(TransferLeavingTest, AsksOnceWhetherTheItemMayShowJustBefore) {
  int asked = 0;
  options_.may_show = [&] {
    EXPECT_FALSE(contents_of(target_).contains(asked++ == 0 ? "a/" : "file"));
    return done_with({});
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_TRUE(move("file", "file"));
  EXPECT_EQ(asked, 2);
}

TEST_F(TransferLeavingTest, ASourceThatChangedIsNotToldToLeave) {
  options_.on_leaving = []() -> Task<Result<void>> {
    ADD_FAILURE();
    co_return Result<void>();
  };
  for (const bool in_steps : {false, true}) {
    from_.hooks.renames_in_steps = in_steps;
    to_.hooks.after = [=, this](std::string_view call, const Path&) {
      if (call == "rename") put(source_, in_steps ? "a/2" : "a/1", "late");
      return std::optional<Error>();
    };
    EXPECT_EQ(code_of(move("a", "a")), ErrorCode::conflict);
    EXPECT_FALSE(progress_.lost_source());
    erase(target_, "a");
  }
}

TEST_F(TransferLeavingTest, TellsThatTheSourceLeavesBeforeItsDeletion) {
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

TEST_F(TransferLeavingTest, WhatCannotLeaveStaysUnderItsName) {
  options_.on_leaving = []() -> Task<Result<void>> { co_return fail(ErrorCode::failed, "No."); };
  for (const bool in_steps : {false, true}) {
    from_.hooks.renames_in_steps = in_steps;
    EXPECT_EQ(code_of(move(in_steps ? "file" : "a", in_steps ? "file" : "a")), ErrorCode::failed);
  }
  EXPECT_EQ(from_.seen.calls["remove"], 0);
  EXPECT_EQ(contents_of(source_), before_);
}

TEST_F(TransferLeavingTest, WhatMayNotShowIsNotMoved) {
  options_.may_show = [] { return done_with(fail(ErrorCode::failed, "No.")); };
  for (const auto* item : {"a", "file"}) {
    EXPECT_EQ(code_of(move(item, item)), ErrorCode::failed);
  }
  EXPECT_EQ(contents_of(source_), before_);
  EXPECT_EQ(contents_of(target_), Contents{});
  EXPECT_FALSE(progress_.kept());
}

TEST_F(TransferLeavingTest, ADeletionThatBreaksOffLosesNothing) {
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

TEST_F(TransferLeavingTest, ALostAnswerToTheDeletionIsNoFailure) {
  from_.hooks.after = [left = 1](std::string_view call, const Path&) mutable {
    return call == "remove" && left-- == 1 ? std::optional(kBroken) : std::nullopt;
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(contents_of(source_), (Contents{{"file", "content"}}));
  EXPECT_FALSE(progress_.kept());
}

}  // namespace
}  // namespace coffer::core
