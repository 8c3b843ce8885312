#include "core/transfer/transfer.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "base/text.h"
#include "core/testing/transfer_fixture.h"
#include "core/transfer/transfer_tree.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;
using storage::TreeSize;

TEST_F(TransferTest, CopiesAFile) {
  put(source_, "docs", "content");
  put_folder(target_, "in");
  EXPECT_EQ(copy("docs", "in/copy"), (TreeSize{7, 1, 0}));
  EXPECT_EQ(contents_of(target_), (Contents{{"in/", ""}, {"in/copy", "content"}}));
  EXPECT_EQ(contents_of(source_), (Contents{{"docs", "content"}}));
}

TEST_F(TransferTest, CopiesATreeWithEmptyFoldersAndEmptyFiles) {
  put_folder(source_, "a/b/c");
  put_folder(source_, "a/empty");
  put(source_, "a/1", "1");
  put(source_, "a/b/none", "");
  put(source_, "a/b/c/2", "22");
  put(source_, "other", "x");
  EXPECT_EQ(copy("a", "copy"), (TreeSize{3, 3, 4}));
  EXPECT_EQ(contents_of(target_), (Contents{{"copy/", ""},
                                            {"copy/1", "1"},
                                            {"copy/b/", ""},
                                            {"copy/b/none", ""},
                                            {"copy/b/c/", ""},
                                            {"copy/b/c/2", "22"},
                                            {"copy/empty/", ""}}));
}

TEST_F(TransferTest, CopiesAWholeBackend) {
  put(source_, "file", "x");
  EXPECT_EQ(copy("", "mount"), (TreeSize{1, 1, 1}));
  EXPECT_EQ(contents_of(target_), (Contents{{"mount/", ""}, {"mount/file", "x"}}));
}

TEST_F(TransferTest, CopiesWithinOneBackend) {
  put_folder(source_, "a");
  put(source_, "a/file", "x");
  TransferEnd from{from_, path_of("a")};
  TransferEnd to{from_, path_of("b")};
  EXPECT_EQ(run(transfer(from, to, {}, progress_)), (TreeSize{1, 1, 1}));
  TransferEnd inside{from_, path_of("a/below")};
  EXPECT_EQ(code_of(run(transfer(from, inside, {}, progress_))), ErrorCode::invalid);
  EXPECT_EQ(contents_of(source_),
            (Contents{{"a/", ""}, {"a/file", "x"}, {"b/", ""}, {"b/file", "x"}}));
}

TEST_F(TransferTest, CopiesContentOfEverySizeAroundABlock) {
  const std::size_t block = BlockPair::kBlockBytes;
  Contents expected{{"copy/", ""}};
  put_folder(source_, "a");
  for (const std::size_t size :
       {std::size_t{1}, block - 1, block, block + 1, 2 * block, 3 * block + 7}) {
    const std::string name = std::to_string(size);
    put(source_, "a/" + name, noise(size));
    expected["copy/" + name] = noise(size);
  }
  // Backends give what they have, so blocks fill in uneven steps.
  from_.hooks.read = [](const Path&, std::uint64_t, std::span<std::byte>& out) {
    out = out.first(std::min<std::size_t>(out.size(), 100'003));
    return std::optional<Error>();
  };
  EXPECT_TRUE(copy("a", "copy"));
  EXPECT_TRUE(contents_of(target_) == expected);
}

TEST_F(TransferTest, KeepsModificationTimes) {
  const Timestamp time = Timestamp(1'000'000'000s);
  put_folder(source_, "a");
  put(source_, "a/file", "x", time);
  put(source_, "single", "x", time);
  ASSERT_TRUE(copy("a", "a"));
  ASSERT_TRUE(copy("single", "single"));
  for (const auto* name : {"a/file", "single"}) {
    const Path path = path_of(name);
    EXPECT_EQ(run(target_.stat(path))->modified_at, time);
  }
}

TEST_F(TransferTest, AFileWithoutATimeGetsTheTimeOfItsCopy) {
  put(source_, "file", "x", Timestamp());
  const Timestamp before = now();
  ASSERT_TRUE(copy("file", "file"));
  const Path path = path_of("file");
  EXPECT_GE(run(target_.stat(path))->modified_at, before);
}

TEST_F(TransferTest, CopiesOddNames) {
  const Contents names{{"a/", ""},
                       {"a/back\\slash", "1"},
                       {"a/ with spaces ", "2"},
                       {"a/\"quoted\"", "3"},
                       {"a/%2e%2e", "4"},
                       {"a/...", "5"},
                       {"a/-rf *", "6"},
                       {"a/\xF0\x9F\x97\x83 \xC3\xA9", "7"},
                       {"a/" + std::string(255, 'n'), "8"}};
  put_folder(source_, "a");
  for (const auto& [name, content] : names) {
    if (!content.empty()) put(source_, name, content);
  }
  ASSERT_TRUE(copy("a", "a"));
  EXPECT_EQ(contents_of(target_), names);
}

TEST_F(TransferTest, RefusesNamesThatAreNoSingleComponent) {
  put_folder(source_, "a");
  put(source_, "a/file", "x");
  for (const auto* name : {"../file", "b/c", "", ".", "..", "x/", "..\\x", "line\nbreak"}) {
    from_.hooks.list = [&](const Path&, std::vector<storage::Entry>& entries) {
      entries.back().name = name;
    };
    EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::invalid) << name;
    EXPECT_EQ(contents_of(target_), Contents{});
  }
}

TEST_F(TransferTest, LeavesOutLinksAndWhatIsNotComplete) {
  put_folder(source_, "a/folder-link");
  put(source_, "a/folder-link/file", "x");
  put(source_, "a/link", "x");
  put(source_, "a/" + storage::partial_name(), "x");
  put(source_, "a/file", "x");
  from_.hooks.show = [](const Path& item, storage::Entry& entry) {
    entry.is_link = item.name().ends_with("link");
  };
  EXPECT_EQ(copy("a", "a"), (TreeSize{1, 1, 1}));
  EXPECT_EQ(contents_of(target_), (Contents{{"a/", ""}, {"a/file", "x"}}));
}

TEST_F(TransferTest, NeedsASourceAFreeNameAndAFolderToPutItIn) {
  put(source_, "file", "x");
  put_folder(source_, "folder");
  put(target_, "taken", "old");
  EXPECT_EQ(code_of(copy("none", "new")), ErrorCode::not_found);
  for (const auto* from : {"file", "folder"}) {
    EXPECT_EQ(code_of(copy(from, "taken")), ErrorCode::exists);
    EXPECT_EQ(code_of(copy(from, "")), ErrorCode::exists);
    EXPECT_EQ(code_of(copy(from, "none/new")), ErrorCode::not_found);
    EXPECT_EQ(code_of(copy(from, "taken/new")), ErrorCode::invalid);
  }
  EXPECT_EQ(contents_of(target_), (Contents{{"taken", "old"}}));
}

TEST_F(TransferTest, CopiesADeepTree) {
  std::string path = "top";
  Contents expected{{"top/", ""}};
  for (int level = 0; level < 60; ++level) {
    path += "/" + std::to_string(level);
    expected[path + "/"];
  }
  put_folder(source_, path);
  put(source_, path + "/file", "deep");
  expected[path + "/file"] = "deep";
  EXPECT_EQ(copy("top", "top"), (TreeSize{4, 1, 61}));
  EXPECT_EQ(contents_of(target_), expected);
}

TEST_F(TransferTest, CopiesManySmallFilesSeveralAtOnce) {
  put_folder(source_, "a");
  Contents expected{{"a/", ""}};
  for (int i = 0; i < 3000; ++i) {
    const std::string name = "a/" + std::to_string(i);
    put(source_, name, name);
    expected[name] = name;
  }
  EXPECT_EQ(copy("a", "a")->files, 3000U);
  EXPECT_TRUE(contents_of(target_) == expected);
  EXPECT_EQ(from_.seen.most_readers, 8);
  EXPECT_EQ(from_.seen.calls["open"], 3000);
  EXPECT_EQ(from_.seen.calls["list"], 1);
  EXPECT_EQ(to_.seen.calls["list"], 1);
  EXPECT_LE(to_.seen.calls["stat"], 2);
}

TEST_F(TransferTest, ListsSeveralFoldersAtOnce) {
  for (int i = 0; i < 40; ++i) put_folder(source_, "a/" + std::to_string(i));
  EXPECT_EQ(copy("a", "a")->folders, 41U);
  EXPECT_EQ(from_.seen.most_lists, 8);
  EXPECT_EQ(from_.seen.calls["list"], 41);
}

TEST_F(TransferTest, KeepsAsManyFilesInFlightAsAskedFor) {
  put_folder(source_, "a");
  for (int i = 0; i < 40; ++i) put(source_, "a/" + std::to_string(i), "x");
  options_.files_in_flight = 3;
  EXPECT_TRUE(copy("a", "a"));
  EXPECT_EQ(from_.seen.most_readers, 3);
}

TEST_F(TransferTest, HoldsTwoBlocksForEachFileInFlight) {
  put_folder(source_, "a");
  const std::string content = noise(BlockPair::kBlockBytes * 2 + 1);
  for (int i = 0; i < 30; ++i) put(source_, "a/" + std::to_string(i), content);
  EXPECT_TRUE(copy("a", "a"));
  EXPECT_EQ(from_.seen.blocks.size(), 16U);
  EXPECT_EQ(from_.seen.largest_read_bytes, BlockPair::kBlockBytes);
  static_assert(16 * BlockPair::kBlockBytes < std::size_t{12} * 1024 * 1024);
}

TEST_F(TransferTest, LargeFilesLeaveRoomForSmallOnes) {
  const std::string large(kLargeFileBytes + 1, 'x');
  Contents expected{{"a/", ""}};
  for (int i = 0; i < 6; ++i) {
    const std::string name = "a/" + std::to_string(i);
    put_folder(source_, name);
    put(source_, name + "/large", large);
    put(source_, name + "/small", "x");
    expected[name + "/"];
    expected[name + "/large"] = large;
    expected[name + "/small"] = "x";
  }
  int large_now = 0;
  int most_large = 0;
  from_.hooks.read = [&](const Path& file, std::uint64_t offset, std::span<std::byte>& out) {
    if (file.name() != "large") return std::optional<Error>();
    if (offset == 0) most_large = std::max(most_large, ++large_now);
    if (offset + out.size() > kLargeFileBytes) --large_now;
    return std::optional<Error>();
  };
  EXPECT_EQ(copy("a", "a")->files, 12U);
  EXPECT_TRUE(contents_of(target_) == expected);
  EXPECT_EQ(most_large, kLargeFilesAtOnce);
}

TEST_F(TransferTest, ReadsABlockWhileItWritesTheLast) {
  put(source_, "large", noise(BlockPair::kBlockBytes * 6));
  int overlapping = 0;
  from_.hooks.read = [&](const Path&, std::uint64_t offset, std::span<std::byte>&) {
    if (to_.seen.writes == 1) ++overlapping;
    EXPECT_LE(offset, progress_.bytes_done() + BlockPair::kBlockBytes);
    return std::optional<Error>();
  };
  EXPECT_TRUE(copy("large", "large"));
  EXPECT_EQ(overlapping, 5);
  EXPECT_EQ(from_.seen.blocks.size(), 2U);
}

TEST_F(TransferTest, TellsWhereATreeIsCollectedBeforeItIsMade) {
  put_folder(source_, "a");
  put_folder(target_, "in");
  std::vector<Path> staged;
  options_.on_staging = [&](Path path) {
    EXPECT_EQ(contents_of(target_), (Contents{{"in/", ""}}));
    staged.push_back(std::move(path));
    return done_with(Result<void>());
  };
  std::vector<Path> made;
  to_.hooks.before = [&](std::string_view call, const Path& path) {
    if (call == "make_folder") made.push_back(path);
    return std::optional<Error>();
  };
  ASSERT_TRUE(copy("a", "in/a"));
  ASSERT_EQ(staged.size(), 1U);
  EXPECT_EQ(staged.at(0).parent(), path_of("in"));
  EXPECT_TRUE(staged.at(0).name().starts_with(".coffer-part-"));
  EXPECT_EQ(made, staged);
}

TEST_F(TransferTest, MakesNothingWhenTheStagingPlaceCannotBeRecorded) {
  put_folder(source_, "a");
  options_.on_staging = [](const Path&) {
    return done_with(fail(ErrorCode::failed, "The catalog is broken."));
  };
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::failed);
  EXPECT_EQ(to_.seen.calls["make_folder"], 0);
}

TEST_F(TransferTest, ATreeShowsOnlyWhenItIsWhole) {
  put_folder(source_, "a/b");
  put(source_, "a/b/file", "x");
  put(source_, "a/other", "x");
  const Path target = path_of("a");
  int looks = 0;
  from_.hooks.read = [&](const Path&, std::uint64_t, std::span<std::byte>&) {
    ++looks;
    EXPECT_FALSE(run(target_.stat(target)));
    return std::optional<Error>();
  };
  EXPECT_TRUE(copy("a", "a"));
  EXPECT_EQ(looks, 2);
}

TEST_F(TransferTest, StoresNoMoreThanTheLimit) {
  put_folder(source_, "a/b");
  put(source_, "a/1", "12345");
  put(source_, "a/b/2", "12345");
  options_.limit_bytes = 9;
  EXPECT_EQ(code_of(copy("a", "a")), ErrorCode::over_quota);
  options_.limit_bytes = 4;
  EXPECT_EQ(code_of(copy("a/1", "1")), ErrorCode::over_quota);
  EXPECT_EQ(contents_of(target_), Contents{});
  options_.limit_bytes = 10;
  EXPECT_TRUE(copy("a", "a"));
  options_.limit_bytes = 5;
  EXPECT_TRUE(copy("a/1", "1"));
}

TEST_F(TransferTest, TellsHowFarItIs) {
  put_folder(source_, "a/b");
  put(source_, "a/1", "12345");
  put(source_, "a/b/2", "123");
  ASSERT_TRUE(copy("a", "a"));
  EXPECT_EQ(progress_.bytes_total(), 8U);
  EXPECT_EQ(progress_.bytes_done(), 8U);
  EXPECT_EQ(progress_.items_total(), 4U);
  EXPECT_EQ(progress_.items_done(), 4U);
}

using testing::MatchesRegex;

TEST(NameNotMoved, IsTheNameWithMoreBehindIt) {
  EXPECT_THAT(name_not_moved("photos").str(), MatchesRegex("photos \\(not moved [0-9a-f]{8}\\)"));
  EXPECT_NE(name_not_moved("photos"), name_not_moved("photos"));
}

TEST(NameNotMoved, FitsWhateverTheNameIs) {
  for (const std::string character : {"x", "\u00e9", "\u20ac", "\U0001f44d"}) {
    for (const std::string before : {"", "a", "ab", "abc"}) {
      std::string name = before;
      while (name.size() + character.size() <= 255) name += character;
      const auto beside = name_not_moved(name);
      EXPECT_LE(beside.str().size(), 143U);
      EXPECT_GT(beside.str().size(), 139U);
      EXPECT_TRUE(is_utf8(beside.str()));
    }
  }
}

}  // namespace

}  // namespace coffer::core
