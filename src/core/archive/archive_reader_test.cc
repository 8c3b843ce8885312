#include "core/archive/archive_reader.h"

#include <gtest/gtest.h>

#include <array>

#include "core/archive/testing/packed.h"
#include "core/testing/transfer_fixture.h"

namespace coffer::core {
namespace {

using Kind = PackedItem::Kind;

constexpr unsigned kFolder = 0040000;
constexpr unsigned kLink = 0120000;
constexpr unsigned kFifo = 0010000;
constexpr unsigned kDevice = 0020000;
constexpr std::size_t kLarge = 1024 * 1024;

class ArchiveReaderTest : public testing::TestWithParam<PackedAs> {
 protected:
  Result<void> read(const std::string& archive) {
    host_.emplace(archive);
    return read_archive(*host_, bounds_);
  }
  NotingHost& host() { return *host_; }
  static bool is_zip() { return GetParam() == PackedAs::zip || GetParam() == PackedAs::stored_zip; }

  ArchiveBounds bounds_;
  std::optional<NotingHost> host_;
};

TEST_P(ArchiveReaderTest, TellsFilesAndFoldersWithTheirContentAndTimes) {
  const std::string large = noise(kLarge);
  const auto archive = pack(
      GetParam(),
      {{"häuser", "", kFolder}, {"häuser/日本.txt", "hello"}, {"large", large}, {"nothing", ""}});
  ASSERT_TRUE(read(archive));
  std::map<std::string, NotingHost::Noted> items;
  for (const auto& noted : host().items) items.emplace(noted.item.name, noted);
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items.at("häuser/").item.kind, Kind::folder);
  EXPECT_EQ(items.at("häuser/日本.txt").content, "hello");
  EXPECT_EQ(items.at("large").content, large);
  EXPECT_EQ(items.at("large").item.size_bytes, kLarge);
  EXPECT_TRUE(items.at("nothing").is_whole);
  EXPECT_EQ(items.at("large").item.modified_at, timestamp_of(1'600'000'000));
}

TEST_P(ArchiveReaderTest, TellsWhatIsNoFileOrFolder) {
  const auto archive = pack(GetParam(), {{"link", "", kLink, "/etc"}, {"good", "good"}});
  ASSERT_TRUE(read(archive));
  ASSERT_EQ(host().items.size(), 2u);
  for (const auto& noted : host().items) {
    EXPECT_EQ(noted.item.kind, noted.item.name == "link" ? Kind::link : Kind::file);
  }
}

TEST_P(ArchiveReaderTest, PassesOverWhatIsNotWanted) {
  const auto archive = pack(GetParam(), {{"a", noise(kLarge)}, {"b", noise(kLarge)}, {"c", "c"}});
  host_.emplace(archive);
  host_->wants_all = false;
  ASSERT_TRUE(read_archive(*host_, bounds_));
  EXPECT_EQ(host_->items.size(), 3u);
  EXPECT_EQ(host_->content_bytes, 0u);
  const bool is_cheap = is_zip() || GetParam() == PackedAs::tar;
  EXPECT_EQ(host_->items.front().item.is_listed_cheaply, is_cheap);
  if (is_cheap) {
    EXPECT_LT(host_->read_bytes, kLarge);
  }
}

TEST_P(ArchiveReaderTest, FailsWhereItIsCutOffAndTellsNoTornItemWhole) {
  const auto archive = pack(GetParam(), {{"a", noise(1000)}, {"b", noise(kLarge)}});
  for (const std::size_t size : {archive.size() / 2, archive.size() / 4, std::size_t{700}}) {
    const std::string cut = archive.substr(0, size);
    const auto done = read(cut);
    ASSERT_EQ(code_of(done), ErrorCode::invalid) << size;
    for (const auto& noted : host().items) {
      EXPECT_TRUE(!noted.is_whole || noted.content.size() == noted.item.size_bytes);
    }
  }
}

TEST_P(ArchiveReaderTest, FailsWhereItsBytesCannotBeHad) {
  const auto archive = pack(GetParam(), {{"a", noise(kLarge)}, {"b", noise(kLarge)}});
  host_.emplace(archive);
  host_->fails_at = is_zip() || GetParam() == PackedAs::seven_zip ? 0 : kLarge;
  EXPECT_FALSE(read_archive(*host_, bounds_));
}

TEST_P(ArchiveReaderTest, BoundsTheItems) {
  bounds_.items = 2;
  ASSERT_TRUE(read(pack(GetParam(), {{"a", "a"}, {"b", "b"}})));
  EXPECT_EQ(code_of(read(pack(GetParam(), {{"a", "a"}, {"b", "b"}, {"c", "c"}}))),
            ErrorCode::refused);
}

TEST_P(ArchiveReaderTest, TakesAnyBytesForAnArchive) {
  const auto archive = pack(GetParam(), {{"a", noise(500)}, {"b", noise(5000)}});
  for (std::size_t at = 0; at < archive.size(); at += 7) {
    std::string broken = archive;
    broken[at] = static_cast<char>(broken[at] ^ 0x55);
    (void)read(broken);
    for (const auto& noted : host().items) {
      EXPECT_TRUE(!noted.is_whole || !noted.item.size_bytes ||
                  noted.content.size() == *noted.item.size_bytes);
    }
  }
}

std::string name_of_format(const testing::TestParamInfo<PackedAs>& info) {
  constexpr std::array kNames{"zip", "storedZip", "tar", "gz", "bz2", "xz", "sevenZip"};
  return kNames.at(static_cast<std::size_t>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Formats, ArchiveReaderTest,
                         testing::Values(PackedAs::zip, PackedAs::stored_zip, PackedAs::tar,
                                         PackedAs::tar_gz, PackedAs::tar_bz2, PackedAs::tar_xz,
                                         PackedAs::seven_zip),
                         &name_of_format);

class OneArchiveTest : public ArchiveReaderTest {};

TEST_F(OneArchiveTest, ATarTellsDevicesAndHardLinks) {
  ASSERT_TRUE(read(pack(PackedAs::tar, {{"real", "real"},
                                        {"hard", "", 0100000, "real", true},
                                        {"fifo", "", kFifo},
                                        {"null", "", kDevice}})));
  std::vector<Kind> kinds;
  for (const auto& noted : host().items) kinds.push_back(noted.item.kind);
  EXPECT_EQ(kinds, (std::vector{Kind::file, Kind::link, Kind::special, Kind::special}));
}

TEST_F(OneArchiveTest, ATimeThatCannotBeKeptIsNone) {
  constexpr std::int64_t kNoTimeOfNtfs = -11'644'473'600;
  ASSERT_TRUE(read(pack(PackedAs::tar, {{.name = "1601", .modified_s = kNoTimeOfNtfs},
                                        {.name = "2500", .modified_s = 16'725'225'600},
                                        {.name = "2001", .modified_s = 1'000'000'000}})));
  ASSERT_EQ(host().items.size(), 3u);
  for (const auto& noted : host().items) {
    EXPECT_EQ(noted.item.modified_at.has_value(), noted.item.name == "2001") << noted.item.name;
  }
}

TEST_F(OneArchiveTest, AnEncryptedItemIsTold) {
  const auto archive = pack(PackedAs::zip, {{"a", "secret", 0100000, "", false, "password"}});
  ASSERT_TRUE(read(archive));
  ASSERT_EQ(host().items.size(), 1u);
  EXPECT_EQ(host().items.front().item.kind, Kind::encrypted);
  EXPECT_FALSE(host().items.front().is_whole);
}

TEST_F(OneArchiveTest, AnItemWithAWrongChecksumIsNotWholeAndOthersFollow) {
  std::string archive =
      pack(PackedAs::stored_zip, {{"a", "first"}, {"b", "DAMAGED"}, {"c", "third"}});
  archive[archive.find("DAMAGED")] = 'd';
  ASSERT_TRUE(read(archive));
  ASSERT_EQ(host().items.size(), 3u);
  EXPECT_TRUE(host().items[0].is_whole);
  EXPECT_FALSE(host().items[1].is_whole);
  EXPECT_NE(host().items[1].reason.find("checksum"), std::string::npos);
  EXPECT_TRUE(host().items[2].is_whole);
  EXPECT_EQ(host().items[2].content, "third");
}

TEST_F(OneArchiveTest, WhatUnpacksToTooMuchIsRefused) {
  bounds_.stream_bytes = 1024 * 1024;
  const auto archive =
      pack(PackedAs::tar_gz, {{"zeros", std::string(std::size_t{120} << 20, '\0')}});
  host_.emplace(archive);
  host_->wants_all = false;
  EXPECT_EQ(code_of(read_archive(*host_, bounds_)), ErrorCode::refused);
}

TEST_F(OneArchiveTest, WhatIsNoneSaysWhatThereIs) {
  for (const std::string& bytes : {std::string(), std::string("just a text"), noise(100'000)}) {
    const auto done = read(bytes);
    ASSERT_EQ(code_of(done), ErrorCode::invalid);
    EXPECT_NE(done.error().message.find("zip, 7z and tar"), std::string::npos);
  }
}

TEST_F(OneArchiveTest, AZipWithoutItsListIsDamaged) {
  const auto whole = pack(PackedAs::zip, {{"a", noise(5000)}});
  const auto done = read(whole.substr(0, 3000));
  ASSERT_EQ(code_of(done), ErrorCode::invalid);
  EXPECT_NE(done.error().message.find("list of its items"), std::string::npos);
}

}  // namespace
}  // namespace coffer::core
