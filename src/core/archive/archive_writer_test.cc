#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "core/archive/archive_formats.h"
#include "core/archive/testing/unpacked.h"

namespace coffer::core {
namespace {

constexpr Timestamp kTime{std::chrono::seconds{1'600'000'000} +
                          std::chrono::nanoseconds{123'456'789}};
constexpr std::size_t kMany = 3 * 1024 * 1024;
constexpr std::size_t kPiece = 100'000;

std::string all_output_of(ArchiveWriter& writer) {
  std::string all;
  std::string piece;
  do {
    writer.take_output(piece);
    all += piece;
  } while (!piece.empty());
  return all;
}

class ArchiveWriterTest : public testing::TestWithParam<ArchiveFormat> {
 protected:
  void add(std::string name, std::string_view content) {
    const ArchiveHeader header{std::move(name), false, content.size(), kTime};
    ASSERT_TRUE(writer_->add(header, std::as_bytes(std::span(content))));
  }

  void add_in_pieces(std::string name, std::string_view content) {
    const ArchiveHeader header{std::move(name), false, content.size(), kTime};
    ASSERT_TRUE(writer_->begin(header));
    for (; !content.empty(); content.remove_prefix(std::min(kPiece, content.size()))) {
      ASSERT_TRUE(writer_->write(std::as_bytes(std::span(content.substr(0, kPiece)))));
    }
    ASSERT_TRUE(writer_->end_entry());
  }

  std::string finished() {
    EXPECT_TRUE(writer_->finish());
    return all_output_of(*writer_);
  }

  const std::unique_ptr<ArchiveWriter> writer_ = make_archive_writer(GetParam());
};

TEST_P(ArchiveWriterTest, HoldsFilesAndFoldersWithTheirTimes) {
  const ArchiveHeader folder{"häuser/日本", true, 0, kTime};
  ASSERT_TRUE(writer_->add(folder, {}));
  add("häuser/日本/😀.txt", "hello");
  add("nothing", "");
  add("photo.JPG", std::string(kMany, 'x'));
  add_in_pieces("long.JPG", std::string(kMany, 'y'));
  add_in_pieces("long.txt", std::string(kMany, 'z'));
  const auto all = unpack(finished());
  ASSERT_EQ(all.size(), 6u);
  EXPECT_TRUE(all.at("häuser/日本/").is_directory);
  EXPECT_EQ(all.at("häuser/日本/😀.txt").content, "hello");
  EXPECT_EQ(all.at("nothing").content, "");
  EXPECT_EQ(all.at("photo.JPG").content, std::string(kMany, 'x'));
  EXPECT_EQ(all.at("long.JPG").content, std::string(kMany, 'y'));
  EXPECT_EQ(all.at("long.txt").content, std::string(kMany, 'z'));
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
    EXPECT_LT(writer_->output_bytes(), 300'000u);
    writer_->take_output(piece);
    all += piece;
    EXPECT_EQ(writer_->output_bytes(), 0u);
  }
  all += finished();
  EXPECT_EQ(unpack(all).size(), 50u);
}

TEST_P(ArchiveWriterTest, EndsUnfinishedWithoutAnything) {
  const ArchiveHeader header{"file", false, 1000, kTime};
  ASSERT_TRUE(writer_->begin(header));
}

TEST_P(ArchiveWriterTest, EndsUnfinishedAtOnceHoweverMuchIsMissing) {
  const ArchiveHeader header{"file", false, std::uint64_t{1} << 40, kTime};
  ASSERT_TRUE(writer_->begin(header));
  ASSERT_TRUE(writer_->write(std::as_bytes(std::span("begin"))));
}

TEST_P(ArchiveWriterTest, LeavesNoMemoryWhereItEndsUnfinished) {
  const auto leave_one = [] {
    const auto writer = make_archive_writer(GetParam());
    ASSERT_TRUE(writer->begin({"file", false, 1000, kTime}));
    ASSERT_TRUE(writer->write(std::as_bytes(std::span("begin"))));
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
  const auto writer = make_archive_writer(ArchiveFormat::tar);
  const ArchiveHeader header{"file", false, 0, kTime};
  ASSERT_TRUE(writer->add(header, {}));
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(unpack(all_output_of(*writer)).at("file").modified_at, kTime);
}

}  // namespace
}  // namespace coffer::core
