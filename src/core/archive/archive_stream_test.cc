#include "core/archive/archive_stream.h"

#include <gtest/gtest.h>

#include "core/archive/testing/unpacked.h"
#include "core/testing/transfer_fixture.h"

namespace coffer::core {
namespace {

constexpr std::size_t kBlock = 256 * 1024;

class ArchiveStreamTest : public testing::TestWithParam<ArchiveFormat> {
 protected:
  ArchiveOrder order_of(std::string_view path) {
    ArchiveItem item;
    item.backend = {std::shared_ptr<void>(), &hooked_};
    item.path = path_of(path);
    item.name = item.path.name();
    item.entry = run(hooked_.stat(item.path)).value();
    ArchiveOrder order;
    order.format = GetParam();
    order.report_name = [] { return std::string("errors.txt"); };
    order.items.push_back(std::move(item));
    order.may_go_on = [this] {
      ++asked_;
      return done_with(may_go_on_);
    };
    return order;
  }

  /// All bytes of the archive; its failure is kept.
  std::string archive_of(std::string_view path) {
    ArchiveStream stream(order_of(path), pool_, packing_);
    std::string all;
    for (;;) {
      const auto piece = run(stream.next());
      if (!piece) failure_ = piece.error();
      if (!piece || !*piece) return all;
      most_at_once_ = std::max(most_at_once_, (*piece)->size());
      all += **piece;
    }
  }

  std::map<std::string, UnpackedEntry> unpacked(std::string_view path) {
    auto all = unpack(archive_of(path));
    EXPECT_FALSE(failure_);
    return all;
  }

  /// Reads end at `offset`, with an error or as if the file ended there.
  void break_reads_at(std::uint64_t offset, std::optional<Error> error) {
    hooked_.hooks.read = [=](const Path&, std::uint64_t at, std::span<std::byte>& out) {
      if (at < offset) {
        out = out.first(std::min<std::size_t>(out.size(), offset - at));
        return std::optional<Error>();
      }
      out = out.first(0);
      return error;
    };
  }

  storage::MemoryBackend memory_;
  HookedBackend hooked_{memory_};
  Pool pool_{1};
  Pool packing_{1};
  Result<void> may_go_on_;
  int asked_ = 0;
  std::optional<Error> failure_;
  std::size_t most_at_once_ = 0;
};

TEST_P(ArchiveStreamTest, TheListOfAZipsEntriesHoldsMemory) {
  put_folder(memory_, "docs");
  for (int file = 0; file < 10; ++file) put(memory_, "docs/" + std::to_string(file), "hello");
  const MemoryRoom room({.all = 900, .of_account = 900});
  ArchiveOrder order = order_of("docs");
  order.hold = room.begin({"ann"});
  ArchiveStream stream(std::move(order), pool_, packing_);
  const auto piece = run(stream.next());
  if (GetParam() == ArchiveFormat::zip) {
    EXPECT_EQ(code_of(piece), ErrorCode::overloaded);
  } else {
    EXPECT_TRUE(piece);
    EXPECT_EQ(room.taken(), 0u);
  }
}

TEST_P(ArchiveStreamTest, HoldsATree) {
  put_folder(memory_, "docs/empty/deep");
  put(memory_, "docs/a.txt", "hello");
  put_folder(memory_, "docs/b");
  put(memory_, "docs/b/large", noise(3 * kBlock + 5));
  put(memory_, "docs/b/nothing", "");
  const auto all = unpacked("docs");
  std::vector<std::string> names;
  for (const auto& [name, entry] : all) names.push_back(name);
  const std::vector<std::string> expected{"docs/",           "docs/a.txt",     "docs/b/",
                                          "docs/b/large",    "docs/b/nothing", "docs/empty/",
                                          "docs/empty/deep/"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(all.at("docs/a.txt").content, "hello");
  EXPECT_TRUE(all.at("docs/b/large").content == noise(3 * kBlock + 5));
  EXPECT_EQ(all.at("docs/b/nothing").content, "");
  EXPECT_GE(asked_, 7);
}

TEST_P(ArchiveStreamTest, HoldsNoMoreThanSomePiecesInMemory) {
  put(memory_, "large.zip", noise(40 * kBlock));
  const auto all = unpacked("large.zip");
  EXPECT_TRUE(all.at("large.zip").content == noise(40 * kBlock));
  EXPECT_LT(most_at_once_, 3 * kBlock);
}

TEST_P(ArchiveStreamTest, TellsOfAFileThatBecomesShorter) {
  put_folder(memory_, "docs");
  put(memory_, "docs/first", noise(4 * kBlock));
  put(memory_, "docs/second", "whole");
  break_reads_at(kBlock + 7, std::nullopt);
  const auto all = unpacked("docs");
  std::string expected = noise(4 * kBlock).substr(0, kBlock + 7);
  if (GetParam() != ArchiveFormat::zip) expected.resize(4 * kBlock);
  EXPECT_TRUE(all.at("docs/first").content == expected);
  EXPECT_EQ(all.at("docs/second").content, "whole");
  EXPECT_NE(all.at("errors.txt").content.find("docs/first: Only the first 262151 of 1048576"),
            std::string::npos)
      << all.at("errors.txt").content;
}

TEST_P(ArchiveStreamTest, FillsNoFileThatLacksMuch) {
  put(memory_, "large", std::string(66 * 1024 * 1024, 'x'));
  break_reads_at(kBlock, std::nullopt);
  const auto all = archive_of("large");
  EXPECT_EQ(failure_.has_value(), GetParam() != ArchiveFormat::zip);
  EXPECT_LT(all.size(), 2 * kBlock);
}

TEST_P(ArchiveStreamTest, TellsOfAReadThatFails) {
  put_folder(memory_, "docs");
  put(memory_, "docs/first", noise(4 * kBlock));
  break_reads_at(0, Error{ErrorCode::unavailable, "The server is gone."});
  const auto all = unpacked("docs");
  EXPECT_FALSE(all.contains("docs/first"));
  EXPECT_NE(all.at("errors.txt").content.find("docs/first: The server is gone."),
            std::string::npos);
  break_reads_at(kBlock, Error{ErrorCode::unavailable, "The server is gone."});
  const auto begun = unpacked("docs");
  EXPECT_TRUE(begun.at("docs/first").content.starts_with(noise(4 * kBlock).substr(0, kBlock)));
  EXPECT_NE(begun.at("errors.txt").content.find("The server is gone."), std::string::npos);
}

TEST_P(ArchiveStreamTest, TellsOfWhatCannotBeOpenedOrListed) {
  put_folder(memory_, "docs");
  put(memory_, "docs/a", "a");
  put_folder(memory_, "docs/b");
  put(memory_, "docs/b/c", "c");
  hooked_.hooks.before = [](std::string_view call, const Path& path) {
    const bool breaks =
        (call == "open" && path.name() == "a") || (call == "list" && path.name() == "b");
    return breaks ? std::optional(Error{ErrorCode::forbidden, "It may not be read."})
                  : std::nullopt;
  };
  const auto all = unpacked("docs");
  EXPECT_EQ(all.size(), 3u);
  EXPECT_TRUE(all.at("docs/b/").is_directory);
  const std::string& report = all.at("errors.txt").content;
  EXPECT_NE(report.find("docs/a: It may not be read."), std::string::npos) << report;
  EXPECT_NE(report.find("docs/b: It may not be read."), std::string::npos) << report;
}

TEST_P(ArchiveStreamTest, TellsOfWhatListingsLeaveOutAndOfLinksToFolders) {
  put_folder(memory_, "docs/hides");
  put_folder(memory_, "docs/link");
  put(memory_, "docs/hides/a", "a");
  put(memory_, "docs/link/b", "b");
  put(memory_, "docs/linked", "content");
  hooked_.hooks.hides = [](const Path& folder) { return folder.name() == "hides"; };
  hooked_.hooks.show = [](const Path& path, storage::Entry& entry) {
    entry.is_link = path.name() == "link" || path.name() == "linked";
  };
  const auto all = unpacked("docs");
  EXPECT_TRUE(all.contains("docs/hides/a"));
  EXPECT_FALSE(all.contains("docs/link/"));
  EXPECT_EQ(all.at("docs/linked").content, "content");
  const std::string& report = all.at("errors.txt").content;
  EXPECT_NE(report.find("docs/hides: Some of its items"), std::string::npos) << report;
  EXPECT_NE(report.find("docs/link: It is a link to a folder"), std::string::npos) << report;
}

TEST_P(ArchiveStreamTest, TellsOfNamesThatAreTwiceOrNotAllowed) {
  put_folder(memory_, "docs");
  put(memory_, "docs/a", "a");
  hooked_.hooks.list = [](const Path&, std::vector<storage::Entry>& entries) {
    entries.push_back(entries.front());
    entries.push_back(entries.front());
    entries.back().name = "b/../../c";
  };
  const auto all = unpacked("docs");
  EXPECT_EQ(all.size(), 3u);
  EXPECT_EQ(all.at("docs/a").content, "a");
  const std::string& report = all.at("errors.txt").content;
  EXPECT_NE(report.find("docs/b/../../c: Its name is not allowed."), std::string::npos) << report;
  EXPECT_NE(report.find("have the same name"), std::string::npos) << report;
}

TEST_P(ArchiveStreamTest, FailsOnceTheRightIsLost) {
  put_folder(memory_, "docs");
  put(memory_, "docs/a", noise(2 * kBlock));
  ArchiveStream stream(order_of("docs"), pool_, packing_);
  ASSERT_TRUE(run(stream.next()));
  may_go_on_ = fail(ErrorCode::unauthenticated, "The key was revoked.");
  std::optional<ErrorCode> code;
  for (int i = 0; i < 100 && !code; ++i) code = code_of(run(stream.next()));
  EXPECT_EQ(code, ErrorCode::unauthenticated);
}

INSTANTIATE_TEST_SUITE_P(Formats, ArchiveStreamTest,
                         testing::Values(ArchiveFormat::zip, ArchiveFormat::tar,
                                         ArchiveFormat::tar_zst),
                         [](const auto& info) {
                           return info.param == ArchiveFormat::tar_zst
                                      ? std::string("zstd")
                                      : std::string(word_of(info.param));
                         });

}  // namespace
}  // namespace coffer::core
