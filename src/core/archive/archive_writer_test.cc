#include "core/archive/archive_writer.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <string_view>

#include "core/archive/testing/unpacked.h"

namespace coffer::core {
namespace {

constexpr Timestamp kTime{std::chrono::seconds{1'600'000'000} +
                          std::chrono::nanoseconds{123'456'789}};
constexpr std::size_t kMany = 3 * 1024 * 1024;

class ArchiveWriterTest : public testing::TestWithParam<ArchiveFormat> {
 protected:
  void add(std::string name, std::string_view content) {
    const ArchiveHeader header{std::move(name), false, content.size(), kTime};
    ASSERT_TRUE(writer_.begin(header));
    ASSERT_TRUE(writer_.write(std::as_bytes(std::span(content))));
    ASSERT_TRUE(writer_.end_entry());
  }

  std::string finished() {
    EXPECT_TRUE(writer_.finish());
    std::string output;
    writer_.take_output(output);
    return output;
  }

  ArchiveWriter writer_{GetParam()};
};

TEST_P(ArchiveWriterTest, HoldsFilesAndFoldersWithTheirTimes) {
  const ArchiveHeader folder{"häuser/日本", true, 0, kTime};
  ASSERT_TRUE(writer_.begin(folder));
  ASSERT_TRUE(writer_.end_entry());
  add("häuser/日本/😀.txt", "hello");
  add("nothing", "");
  add("photo.JPG", std::string(kMany, 'x'));
  const auto all = unpack(finished());
  ASSERT_EQ(all.size(), 4u);
  EXPECT_TRUE(all.at("häuser/日本/").is_directory);
  EXPECT_EQ(all.at("häuser/日本/😀.txt").content, "hello");
  EXPECT_EQ(all.at("nothing").content, "");
  EXPECT_EQ(all.at("photo.JPG").content, std::string(kMany, 'x'));
  for (const auto& [name, entry] : all) {
    EXPECT_EQ(std::chrono::floor<std::chrono::seconds>(entry.modified_at),
              std::chrono::floor<std::chrono::seconds>(kTime))
        << name;
  }
}

TEST_P(ArchiveWriterTest, GivesAwayWhatItMadeSoFar) {
  std::string all;
  std::string piece;
  const std::string content(100'000, 'x');
  for (int i = 0; i < 50; ++i) {
    add("file-" + std::to_string(i) + ".zip", content);
    EXPECT_LT(writer_.output_bytes(), 300'000u);
    writer_.take_output(piece);
    all += piece;
    EXPECT_EQ(writer_.output_bytes(), 0u);
  }
  all += finished();
  EXPECT_EQ(unpack(all).size(), 50u);
}

TEST_P(ArchiveWriterTest, EndsUnfinishedWithoutAnything) {
  const ArchiveHeader header{"file", false, 1000, kTime};
  ASSERT_TRUE(writer_.begin(header));
}

TEST_P(ArchiveWriterTest, EndsUnfinishedAtOnceHoweverMuchIsMissing) {
  const ArchiveHeader header{"file", false, std::uint64_t{1} << 40, kTime};
  ASSERT_TRUE(writer_.begin(header));
  ASSERT_TRUE(writer_.write(std::as_bytes(std::span("begin"))));
}

TEST_P(ArchiveWriterTest, LeavesNoMemoryWhereItEndsUnfinished) {
  const auto leave_one = [] {
    ArchiveWriter writer(GetParam());
    ASSERT_TRUE(writer.begin({"file", false, 1000, kTime}));
    ASSERT_TRUE(writer.write(std::as_bytes(std::span("begin"))));
  };
  const auto leave = [&](int count) {
    for (int i = 0; i < count; ++i) leave_one();
  };
  leave(100);  // The allocator keeps some for itself.
  const std::size_t before = ::mallinfo2().uordblks;
  leave(1000);
  EXPECT_LT(::mallinfo2().uordblks, before + 1000 * 20);
}

INSTANTIATE_TEST_SUITE_P(Formats, ArchiveWriterTest,
                         testing::Values(ArchiveFormat::zip, ArchiveFormat::tar,
                                         ArchiveFormat::tar_zst),
                         [](const auto& info) {
                           return info.param == ArchiveFormat::tar_zst
                                      ? std::string("zstd")
                                      : std::string(word_of(info.param));
                         });

TEST(ArchiveWriterTimesTest, ATarKeepsTimesToTheNanosecond) {
  ArchiveWriter writer(ArchiveFormat::tar);
  const ArchiveHeader header{"file", false, 0, kTime};
  ASSERT_TRUE(writer.begin(header));
  ASSERT_TRUE(writer.end_entry());
  ASSERT_TRUE(writer.finish());
  std::string output;
  writer.take_output(output);
  EXPECT_EQ(unpack(output).at("file").modified_at, kTime);
}

}  // namespace
}  // namespace coffer::core
