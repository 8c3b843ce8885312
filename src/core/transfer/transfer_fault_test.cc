#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/testing/transfer_fixture.h"

namespace coffer::core {
namespace {

using storage::TreeSize;

constexpr std::size_t kBlock = BlockPair::kBlockBytes;
const Error kBroken{ErrorCode::unavailable, "The connection broke."};

/// Fails calls of one name, the first few times.
Hooks::OnCall failing(std::string name, Error error, int times = 1'000'000) {
  return [=, left = times](std::string_view call, const Path&) mutable {
    if (call != name || left == 0) return std::optional<Error>();
    --left;
    return std::optional<Error>(error);
  };
}

class TransferFaultTest : public TransferTest {
 protected:
  TransferFaultTest() {
    put_folder(source_, "a/b");
    put(source_, "a/1", "one");
    put(source_, "a/b/2", "two");
    put(source_, "large", noise(kBlock * 3));
  }

  /// Breaks reads of content that is not before `offset`.
  void break_reads_at(std::uint64_t offset, int times, const Error& error = kBroken) {
    from_.hooks.read = [=, left = times](const Path&, std::uint64_t at,
                                         std::span<std::byte>& out) mutable {
      if (at < offset) out = out.first(std::min<std::size_t>(out.size(), offset - at));
      if (at < offset || left == 0) return std::optional<Error>();
      --left;
      return std::optional<Error>(error);
    };
  }

  void expect_nothing_stored() {
    EXPECT_EQ(contents_of(target_), Contents{});
    EXPECT_FALSE(progress_.kept());
  }
};

TEST_F(TransferFaultTest, ABrokenReadGoesOnWhereItWas) {
  for (const std::size_t offset : {std::size_t{0}, kBlock + 5, kBlock * 3 - 1}) {
    break_reads_at(offset, 1);
    from_.seen = {};
    const std::string name = "copy-" + std::to_string(offset);
    EXPECT_TRUE(copy("large", name));
    EXPECT_EQ(from_.seen.calls["open"], 2);
    EXPECT_TRUE(contents_of(target_).at(name) == noise(kBlock * 3));
  }
}

TEST_F(TransferFaultTest, AReadThatBreaksAgainEndsTheTransfer) {
  break_reads_at(kBlock, 2);
  EXPECT_EQ(code_of(copy("large", "large")), ErrorCode::unavailable);
  EXPECT_EQ(from_.seen.calls["open"], 2);
  expect_nothing_stored();
  break_reads_at(0, 1'000'000, {ErrorCode::timed_out, "It took too long."});
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::timed_out);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, AReadThatThisMachineFailedIsNotTriedAgain) {
  break_reads_at(kBlock, 1, {ErrorCode::failed, "The disk is broken."});
  EXPECT_EQ(code_of(copy("large", "large")), ErrorCode::failed);
  EXPECT_EQ(from_.seen.calls["open"], 1);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, DoesNotGoOnInAFileThatChanged) {
  break_reads_at(kBlock, 1);
  from_.hooks.before = [this](std::string_view call, const Path& path) {
    if (call == "open" && from_.seen.calls["open"] == 2)
      put(source_, path.str(), noise(kBlock * 3));
    return std::optional<Error>();
  };
  const auto copied = copy("large", "large");
  EXPECT_EQ(code_of(copied), ErrorCode::conflict);
  EXPECT_NE(copied.error().message.find("changed"), std::string::npos);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, AFileShorterThanItSaidEndsTheTransfer) {
  from_.hooks.show = [](const Path&, storage::Entry& entry) {
    if (!entry.is_directory) ++entry.size_bytes;
  };
  EXPECT_EQ(code_of(copy("large", "large")), ErrorCode::conflict);
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::conflict);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, FilesThatVanishMeanwhileAreLeftOut) {
  from_.hooks.before = [this](std::string_view call, const Path& path) {
    if (call == "open") erase(source_, path.str());
    return std::optional<Error>();
  };
  EXPECT_EQ(copy("a", "a"), (TreeSize{0, 0, 2}));
  EXPECT_EQ(contents_of(target_), (Contents{{"a/", ""}, {"a/b/", ""}}));
  EXPECT_EQ(progress_.items_total(), 2U);
  EXPECT_EQ(progress_.bytes_total(), 0U);
}

TEST_F(TransferFaultTest, ATopThatVanishesIsAFailure) {
  from_.hooks.before = [this](std::string_view call, const Path& path) {
    if (call == "open" || call == "list") erase(source_, path.str());
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(copy("large", "large")), ErrorCode::not_found);
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::not_found);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, EveryOtherFailureOfTheSourceEndsTheTransfer) {
  for (const auto* call : {"stat", "list", "open"}) {
    from_.hooks.before = failing(call, kBroken);
    EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::unavailable) << call;
    expect_nothing_stored();
  }
}

TEST_F(TransferFaultTest, EveryFailureOfTheDestinationEndsTheTransferAndLeavesNothing) {
  for (const auto* call : {"stat", "make_folder", "create", "publish", "rename"}) {
    to_.hooks.before = failing(call, kBroken);
    EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::unavailable) << call;
    expect_nothing_stored();
    // It worked, but the answer was lost.
    to_.hooks.before = nullptr;
    to_.hooks.after = failing(call, {ErrorCode::failed, "What came back made no sense."});
    if (call == std::string_view("rename")) continue;
    EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::failed) << call;
    expect_nothing_stored();
    to_.hooks.after = nullptr;
  }
}

TEST_F(TransferFaultTest, AFullDiskEndsTheTransferAndLeavesNothing) {
  for (const std::uint64_t offset : {std::size_t{0}, kBlock, kBlock * 2}) {
    to_.hooks.write = [=](std::uint64_t at) {
      return at == offset ? std::optional<Error>({ErrorCode::failed, "The disk is full."})
                          : std::nullopt;
    };
    EXPECT_EQ(code_of(copy("large", "large")), ErrorCode::failed);
    expect_nothing_stored();
  }
  to_.hooks.write = [](std::uint64_t) { return std::optional(kBroken); };
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::unavailable);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, AFileThatCannotBeShownLeavesNothing) {
  for (const auto* call : {"stat", "create", "publish"}) {
    to_.hooks.before = failing(call, kBroken);
    EXPECT_EQ(code_of(copy("large", "large")), ErrorCode::unavailable) << call;
    expect_nothing_stored();
  }
}

TEST_F(TransferFaultTest, AnErrorSaysWhichItemItIsAbout) {
  from_.hooks.before = [](std::string_view call, const Path& path) {
    if (call != "open" || path.str() != "a/b/2") return std::optional<Error>();
    return std::optional<Error>({ErrorCode::forbidden, "The server refuses it."});
  };
  const auto copied = copy("a", "a");
  ASSERT_EQ(code_of(copied), ErrorCode::forbidden);
  EXPECT_EQ(copied.error().message, "\"b/2\" could not be transferred: The server refuses it.");
}

TEST_F(TransferFaultTest, ALostAnswerToShowingATreeIsLookedUp) {
  to_.hooks.after = failing("rename", kBroken);
  EXPECT_EQ(copy("a", "a"), (TreeSize{6, 2, 2}));
  EXPECT_EQ(contents_of(target_).size(), 4U);
}

TEST_F(TransferFaultTest, ATreeThatShowsAlthoughTheDiskFailedAfterwardsIsKept) {
  to_.hooks.after = failing("rename", {ErrorCode::failed, "The disk is broken."});
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::failed);
  EXPECT_EQ(contents_of(target_).at("a/b/2"), "two");
  EXPECT_EQ(progress_.kept(), (TreeSize{6, 2, 2}));
}

TEST_F(TransferFaultTest, ATreeDoesNotTakeANameThatWasTakenMeanwhile) {
  to_.hooks.before = [this](std::string_view call, const Path&) {
    if (call == "rename") put(target_, "a", "another's");
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::exists);
  EXPECT_EQ(contents_of(target_), (Contents{{"a", "another's"}}));
}

TEST_F(TransferFaultTest, AFileDoesNotTakeANameThatWasTakenMeanwhile) {
  from_.hooks.read = [this](const Path&, std::uint64_t offset, std::span<std::byte>&) {
    if (offset == kBlock) put(target_, "file", "another's");
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(copy("large", "file")), ErrorCode::exists);
  EXPECT_EQ(contents_of(target_), (Contents{{"file", "another's"}}));
}

TEST_F(TransferFaultTest, RemovesAgainWhatCouldNotBeRemovedAtOnce) {
  to_.hooks.before = failing("remove", kBroken, 1);
  from_.hooks.before = failing("open", kBroken);
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::unavailable);
  EXPECT_EQ(to_.seen.calls["remove"], 2);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, WhatCouldNotBeRemovedStandsWhereItWasTold) {
  Path staged;
  options_.on_staging = [&](Path path) {
    staged = std::move(path);
    return done_with(Result<void>());
  };
  to_.hooks.before = failing("remove", kBroken);
  from_.hooks.before = failing("open", {ErrorCode::timed_out, "It took too long."});
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::timed_out);
  EXPECT_EQ(to_.seen.calls["remove"], 2);
  EXPECT_EQ(contents_of(target_).begin()->first, staged.str() + "/");
}

TEST_F(TransferFaultTest, AWrongSizeAtTheDestinationEndsTheTransfer) {
  put(source_, "a/b/3", "three");
  for (const auto* wrong : {"1", "2", "3"}) {
    to_.hooks.show = [&](const Path& path, storage::Entry& entry) {
      if (path.name() == wrong) --entry.size_bytes;
    };
    EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::failed) << wrong;
    expect_nothing_stored();
  }
}

TEST_F(TransferFaultTest, AFileThatIsAnotherOnceItShowsIsAConflictAndLeftAlone) {
  to_.hooks.show = [](const Path&, storage::Entry& entry) {
    if (!entry.is_directory) entry.size_bytes = 1;
  };
  EXPECT_EQ(code_of(move("large", "large")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(target_).size(), 1U);
  EXPECT_EQ(to_.seen.calls["remove"], 0);
  EXPECT_EQ(progress_.kept(), (TreeSize{kBlock * 3, 1, 0}));
  EXPECT_TRUE(contents_of(source_).at("large") == noise(kBlock * 3));
}

TEST_F(TransferFaultTest, WhatAnotherPutInThePlaceOfAFileStays) {
  to_.hooks.after = [this](std::string_view call, const Path&) {
    if (call == "publish") put(target_, "large", "another's");
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(copy("large", "large")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(target_), (Contents{{"large", "another's"}}));
  EXPECT_EQ(progress_.kept(), (TreeSize{kBlock * 3, 1, 0}));
}

TEST_F(TransferFaultTest, AFileThatAnotherDeletedOnceItShowedIsAConflict) {
  to_.hooks.after = [this](std::string_view call, const Path&) {
    if (call == "publish") erase(target_, "large");
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(move("large", "large")), ErrorCode::conflict);
  EXPECT_TRUE(contents_of(source_).at("large") == noise(kBlock * 3));
}

TEST_F(TransferFaultTest, AFileThatAnotherReplacedByAFolderOnceItShowedIsAConflict) {
  to_.hooks.after = [this](std::string_view call, const Path&) {
    if (call == "publish") {
      erase(target_, "large");
      put_folder(target_, "large");
    }
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(copy("large", "large")), ErrorCode::conflict);
  EXPECT_EQ(contents_of(target_), (Contents{{"large/", ""}}));
}

TEST_F(TransferFaultTest, AFileThatTheDestinationDoesNotShowEndsTheTransfer) {
  put(source_, "a/3", "three");
  erase(source_, "a/b");
  erase(source_, "a/1");
  put(source_, "a/4", "four");
  options_.files_in_flight = 1;
  to_.hooks.after = [this, published = 0](std::string_view call, const Path&) mutable {
    if (call == "publish" && ++published == 2) {
      const Path root;
      erase(target_, run(target_.list(root))->at(0).name + "/3");
    }
    return std::optional<Error>();
  };
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::failed);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, ADestinationThatIsDeletedMeanwhileIsAConflict) {
  put(source_, "a/b/3", "three");
  to_.hooks.stats_at_once = true;
  options_.files_in_flight = 1;
  const std::pair<std::string, int> kMoments[] = {
      {"make_folder", 2}, {"create", 2}, {"publish", 2}, {"list", 1}, {"rename", 1}};
  for (const auto& [moment, count] : kMoments) {
    const std::string folder = "before " + moment;
    put_folder(target_, folder);
    to_.seen = {};
    to_.hooks.before = [&](std::string_view call, const Path&) {
      if (call == moment && to_.seen.calls[moment] == count) erase(target_, folder);
      return std::optional<Error>();
    };
    EXPECT_EQ(code_of(copy("a", folder + "/a")), ErrorCode::conflict) << moment;
  }
}

TEST_F(TransferFaultTest, NamesThatAreListedInAnotherFormAreAskedFor) {
  put(source_, "a/3", "three");
  to_.hooks.list = [](const Path&, std::vector<storage::Entry>& entries) {
    for (storage::Entry& entry : entries) entry.name += " in another form";
  };
  EXPECT_TRUE(copy("a", "a"));
}

TEST_F(TransferFaultTest, TwoNamesThatTheDestinationTakesForOneEndTheTransfer) {
  put(source_, "a/b/x", "1");
  put(source_, "a/b/X", "2");
  to_.hooks.list = [](const Path&, std::vector<storage::Entry>& entries) {
    std::erase_if(entries, [](const storage::Entry& entry) { return entry.name == "X"; });
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::failed);
  EXPECT_EQ(contents_of(source_).at("a/b/X"), "2");
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, AFolderWithTwoItemsOfOneNameIsNotTransferred) {
  from_.hooks.list = [](const Path&, std::vector<storage::Entry>& entries) {
    if (entries.front().name == "2") entries.push_back(entries.front());
  };
  EXPECT_EQ(code_of(move("a", "a")), ErrorCode::invalid);
  EXPECT_EQ(contents_of(source_).at("a/b/2"), "two");
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, FilesOfATreeAreCollectedInItOutOfSight) {
  EXPECT_TRUE(copy("a", "a"));
  ASSERT_EQ(to_.seen.options.size(), 2U);
  for (const auto& options : to_.seen.options) EXPECT_TRUE(options.out_of_sight);
  EXPECT_TRUE(copy("large", "large"));
  EXPECT_FALSE(to_.seen.options.back().out_of_sight);
}

TEST_F(TransferFaultTest, WhatIsUnderWayHasEndedBeforeItsTreeIsRemoved) {
  int abandoned = -1;
  to_.hooks.before = [&](std::string_view call, const Path&) {
    if (call == "remove") abandoned = to_.seen.abandoned;
    return std::optional<Error>();
  };
  to_.hooks.write = [](std::uint64_t) { return std::optional(kBroken); };
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::unavailable);
  EXPECT_GE(abandoned, 1);
  expect_nothing_stored();
}

TEST_F(TransferFaultTest, WhatIsBrokenIsThrownAfterCleaningUp) {
  from_.hooks.before = [](std::string_view call, const Path& path) -> std::optional<Error> {
    if (call == "open" && path.str() == "a/b/2") throw std::logic_error("broken");
    return std::nullopt;
  };
  EXPECT_THROW(static_cast<void>(copy("a", "a")), std::logic_error);
  expect_nothing_stored();
}

}  // namespace
}  // namespace coffer::core
