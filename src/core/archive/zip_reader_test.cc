#include "core/archive/zip_reader.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive/archive_reader.h"
#include "core/archive/testing/packed.h"
#include "core/testing/transfer_fixture.h"

namespace coffer::core {
namespace {

using Kind = PackedItem::Kind;
using namespace std::string_view_literals;

std::string number(std::uint64_t value, unsigned bytes) {
  std::string out;
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i);
  return out;
}

struct RawItem {
  std::string name;
  std::string content;
  std::string packed = {};  ///< The content where it is empty.
  unsigned method = 0;
  unsigned flags = 0;
  unsigned maker = 0;
  std::string extra = {};
  std::uint32_t attributes = 0;
  unsigned date = 0x5B21;  ///< 1 September 2025.
};

/// A zip byte by byte, also such as nothing sound has.
class RawZip {
 public:
  void add(const RawItem& item) {
    const auto [about, packed] = list(item, items_.size());
    items_ += "PK\3\4" + number(20, 2) + about + item.name + item.extra + packed;
  }
  /// Names an item in the list alone, whose head and content others have at that place.
  void add_to_list(const RawItem& item, std::uint64_t at) { list(item, at); }
  /// As if items had stood there that others cut out, or the numbers were cut off.
  void set_missing(std::uint64_t bytes) { missing_ = bytes; }
  std::string whole() const {
    return items_ + list_ + "PK\5\6" + number(0, 4) + number(count_, 2) + number(count_, 2) +
           number(list_.size(), 4) + number(items_.size() + missing_, 4) + number(0, 2);
  }

 private:
  /// Returns what stands in the head, too, and the packed content.
  std::pair<std::string, std::string> list(const RawItem& item, std::uint64_t at) {
    const std::string& packed = item.packed.empty() ? item.content : item.packed;
    const std::string about = number(item.flags, 2) + number(item.method, 2) + number(0x6000, 2) +
                              number(item.date, 2) +
                              number(::crc32(0, reinterpret_cast<const Bytef*>(item.content.data()),
                                             static_cast<uInt>(item.content.size())),
                                     4) +
                              number(packed.size(), 4) + number(item.content.size(), 4) +
                              number(item.name.size(), 2) + number(item.extra.size(), 2);
    list_ += "PK\1\2" + number(20 | item.maker << 8U, 2) + number(20, 2) + about + number(0, 6) +
             number(item.attributes, 4) + number(at + missing_, 4) + item.name + item.extra;
    ++count_;
    return {about, packed};
  }

  std::string items_;
  std::string list_;
  std::uint64_t count_ = 0;
  std::uint64_t missing_ = 0;
};

std::string zip_of(const std::vector<RawItem>& items) {
  RawZip zip;
  for (const RawItem& item : items) zip.add(item);
  return zip.whole();
}

class ZipReaderTest : public testing::Test {
 protected:
  Result<void> read(const std::string& archive, std::optional<CharacterSet> names = {}) {
    host_.emplace(archive);
    return read_archive(*host_, {}, names);
  }
  std::map<std::string, NotingHost::Noted> items() const {
    std::map<std::string, NotingHost::Noted> all;
    for (const auto& noted : host_->items) all.emplace(noted.item.name, noted);
    return all;
  }

  std::optional<NotingHost> host_;
};

// The content of these is "content ", a thousand times, as other programs have packed it.
constexpr std::array<std::pair<unsigned, std::string_view>, 6> kPacked{
    {{8,
      "\xed\xc5\xb1\x0d\x00\x00\x04\x00\xb0\x57\xfc\x26\x56\x16\xff\xc7\x21\xda\xa5\x39\xbd\xd5"
      "\x1b\x69\xdb\xb6\x6d\xdb\xb6\x6d\xdb\xb6\x6d\xdb\xf6\xe3\x0f"sv},
     {9,
      "\xe5\xc5\x21\x0d\x00\x00\x08\x00\xb0\x2a\x74\x63\x58\x30\xf4\x1f\x09\x48\xf0\x9b\xe7\xf4"
      "\x56\x6f\xf0\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3"
      "\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xf3\xbf\x1f"sv},
     {12,
      "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\xfb\xdd\x15\x80\x00\x01\xf4\x11\x80\x40\x00\x0a"
      "\x01\x84\x00\x20\x00\x50\x60\x02\x6a\x90\xd3\x6a\x41\x95\x20\xca\x90\x76\xa4\x1b\x52\x0f"
      "\x54\x83\x6a\x90\x7c\x5d\xc9\x14\xe1\x42\x43\xef\x74\x56\x00"sv},
     {14,
      "\x1a\x02\x05\x00\x5d\x00\x20\x00\x00\x00\x31\x9b\xca\x19\xda\xed\xa4\xf2\xf5\x12\x0f\x7c"
      "\xf9\x73\xdc\x67\xb4\xa0\x5f\x0d\xbc\x12\xfd\x23\x36\x3c\x48\x5a\xc2\x83\x83\x32\xae\x96"
      "\x64\xf6\x07\xed\xe4\x54\xe3\xa0\x41\x15\x1e\x0f\xf9\xff\xff\xdc\x1b\xc0\x00"sv},
     {93,
      "\x28\xb5\x2f\xfd\x64\x40\x1e\x85\x00\x00\x40\x63\x6f\x6e\x74\x65\x6e\x74\x20\x01\x00\x35"
      "\xbf\xbe\x70\x01\x4b\x97\x18\x86"sv},
     {95,
      "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f"
      "\xe5\xa3\xe0\x1f\x3f\x00\x2f\x5d\x00\x31\x9b\xca\x19\xda\xed\xa4\xf2\xf5\x12\x0f\x7c\xf9"
      "\x73\xdc\x67\xb4\xa0\x5f\x0d\xbc\x12\xfd\x23\x36\x3c\x48\x5a\xc2\x83\x83\x32\xae\x96\x64"
      "\xf6\x07\xed\xe4\x54\xe3\xa0\x41\x14\xa5\x50\x00\x00\x00\x34\x83\x73\x85\xa5\xa2\xf7\xd8"
      "\x00\x01\x4b\xc0\x3e\x00\x00\x00\x3b\x49\x2b\x5f\xb1\xc4\x67\xfb\x02\x00\x00\x00\x00\x04"
      "\x59\x5a"sv}}};

std::string thousand() {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += "content ";
  return content;
}

TEST_F(ZipReaderTest, EachMethodIsUnpacked) {
  for (const auto& [method, packed] : kPacked) {
    ASSERT_TRUE(read(zip_of(
        {{.name = "a", .content = thousand(), .packed = std::string(packed), .method = method},
         {.name = "b", .content = "b"}})));
    EXPECT_TRUE(items().at("a").is_whole) << method << items().at("a").reason;
    EXPECT_EQ(items().at("a").content, thousand()) << method;
    EXPECT_TRUE(items().at("b").is_whole);
  }
}

TEST_F(ZipReaderTest, OneOfZstdMayFillItsBlocks) {
  for (const std::size_t size : {65'535, 65'536, 131'072, 1'048'576}) {
    const std::string content(size, 'x');
    std::string packed(::ZSTD_compressBound(size), '\0');
    packed.resize(::ZSTD_compress(packed.data(), packed.size(), content.data(), size, 3));
    ASSERT_TRUE(read(zip_of({{.name = "a", .content = content, .packed = packed, .method = 93}})));
    EXPECT_TRUE(items().at("a").is_whole) << size << items().at("a").reason;
  }
}

TEST_F(ZipReaderTest, ItemsThatOverlapAreRefused) {
  const RawItem item{.name = "a", .content = noise(50'000)};
  RawZip zip;
  zip.add(item);
  zip.add({.name = "b", .content = noise(50'000)});
  for (int i = 0; i < 100; ++i) zip.add_to_list(item, 0);
  const auto done = read(zip.whole());
  EXPECT_EQ(code_of(done), ErrorCode::refused);
  EXPECT_LT(host_->items.size(), 5u);
  EXPECT_TRUE(items().at("a").is_whole);
}

TEST_F(ZipReaderTest, ManyMarksOfAnEndAreNotAllLookedAt) {
  std::string archive(1'000'000, 'x');
  for (int i = 0; i < 10'000; ++i) archive += "PK\5\6";
  EXPECT_EQ(code_of(read("PK\3\4" + archive)), ErrorCode::invalid);
  EXPECT_LT(host_->read_bytes, 200'000u);
}

TEST_F(ZipReaderTest, WithoutADayThereIsNoTime) {
  ASSERT_TRUE(read(zip_of({{.name = "a", .content = "", .date = 0},
                           {.name = "b", .content = "", .date = 0x5B00},
                           {.name = "c", .content = "", .date = 0x5B21}})));
  EXPECT_EQ(items().at("a").item.modified_at, std::nullopt);
  EXPECT_EQ(items().at("b").item.modified_at, std::nullopt);
  EXPECT_TRUE(items().at("c").item.modified_at);
}

TEST_F(ZipReaderTest, ADamagedItemOfEachMethodLeavesTheOthers) {
  for (const auto& [method, packed] : kPacked) {
    for (const std::size_t at : {packed.size() / 2, packed.size() - 1}) {
      std::string broken(packed);
      broken[at] = static_cast<char>(broken[at] ^ 0x21);
      for (const std::string& bytes : {broken, std::string(packed.substr(0, at))}) {
        ASSERT_TRUE(
            read(zip_of({{.name = "a", .content = thousand(), .packed = bytes, .method = method},
                         {.name = "b", .content = "b"}})));
        const auto found = items();
        EXPECT_TRUE(found.at("a").is_whole == found.at("a").reason.empty()) << method;
        EXPECT_TRUE(!found.at("a").is_whole || found.at("a").content == thousand()) << method;
        EXPECT_TRUE(found.at("b").is_whole) << method;
      }
    }
  }
}

TEST_F(ZipReaderTest, WhatCannotBeUnpackedLeavesTheOthers) {
  ASSERT_TRUE(read(zip_of({{.name = "secret", .content = "xxxxxxxxxxxxx", .flags = 1},
                           {.name = "aes", .content = "x", .method = 99},
                           {.name = "odd", .content = "x", .method = 6},
                           {.name = "good", .content = "good"}})));
  EXPECT_EQ(items().at("secret").item.kind, Kind::encrypted);
  EXPECT_EQ(items().at("aes").item.kind, Kind::encrypted);
  EXPECT_EQ(items().at("odd").item.kind, Kind::of_unknown_method);
  EXPECT_TRUE(items().at("good").is_whole);
}

TEST_F(ZipReaderTest, MoreThanItsSizeIsDamage) {
  ASSERT_TRUE(read(zip_of({{.name = "a", .content = "abc", .packed = "abcdef"}})));
  EXPECT_NE(items().at("a").reason.find("size"), std::string::npos);
}

TEST_F(ZipReaderTest, NamesAreInTheMakersCharacterSet) {
  const auto archive = zip_of({{.name = "\x93\xFA\x96\x7B\\\x95\x5C.txt", .content = "a"},
                               {.name = "\xC3\xA4", .content = "b", .flags = 0x800}});
  ASSERT_TRUE(read(archive, CharacterSet::shift_jis));
  EXPECT_EQ(items().at("日本/表.txt").content, "a");
  EXPECT_EQ(items().at("ä").content, "b");
  ASSERT_TRUE(read(archive));
  EXPECT_TRUE(items().contains("ô·û{/ò/.txt"));  // Of IBM437.
}

TEST_F(ZipReaderTest, FoldersAndLinksAreTold) {
  ASSERT_TRUE(
      read(zip_of({{.name = "a\\", .content = ""},
                   {.name = "b", .content = "", .attributes = 0x10},
                   {.name = "c", .content = "", .maker = 3, .attributes = 0040755U << 16U},
                   {.name = "d", .content = "e", .maker = 3, .attributes = 0120777U << 16U},
                   {.name = "e", .content = "", .maker = 3, .attributes = 0010644U << 16U}})));
  EXPECT_EQ(items().at("a/").item.kind, Kind::folder);
  EXPECT_EQ(items().at("b").item.kind, Kind::folder);
  EXPECT_EQ(items().at("c").item.kind, Kind::folder);
  EXPECT_EQ(items().at("d").item.kind, Kind::link);
  EXPECT_EQ(items().at("e").item.kind, Kind::special);
}

TEST_F(ZipReaderTest, TimesOfUnixAndWindowsAreTaken) {
  const std::string unix_time = number(0x5455, 2) + number(5, 2) + "\1" + number(1'234'567'891, 4);
  const std::string ntfs =
      number(0x000A, 2) + number(32, 2) + number(0, 4) + number(1, 2) + number(24, 2) +
      number((1'234'567'891 + 11'644'473'600) * 10'000'000, 8) + number(0, 8) + number(0, 8);
  ASSERT_TRUE(read(zip_of({{.name = "a", .content = "", .extra = unix_time},
                           {.name = "b", .content = "", .extra = ntfs},
                           {.name = "c", .content = "", .extra = unix_time.substr(0, 6)}})));
  EXPECT_EQ(items().at("a").item.modified_at, timestamp_of(1'234'567'891));
  EXPECT_EQ(items().at("b").item.modified_at, timestamp_of(1'234'567'891));
  EXPECT_TRUE(items().at("c").item.modified_at);  // That of DOS.
}

TEST_F(ZipReaderTest, BehindAProgramItIsFound) {
  const auto archive = zip_of({{.name = "a", .content = "abc"}});
  ASSERT_TRUE(read("MZ" + noise(5000) + archive));
  EXPECT_EQ(items().at("a").content, "abc");
  ASSERT_TRUE(read(archive + "something behind it"));
  EXPECT_EQ(items().at("a").content, "abc");
}

TEST_F(ZipReaderTest, AnItemThatIsNotThereIsDamaged) {
  RawZip zip;
  zip.add({.name = "a", .content = "abc"});
  zip.set_missing(7);
  zip.add({.name = "b", .content = "def"});
  zip.set_missing(0);
  ASSERT_TRUE(read(zip.whole()));
  EXPECT_TRUE(items().at("a").is_whole);
  EXPECT_NE(items().at("b").reason.find("damaged"), std::string::npos);
}

TEST_F(ZipReaderTest, AListThatIsNotWholeEndsIt) {
  std::string archive = zip_of({{.name = "a", .content = "abc"}, {.name = "b", .content = "def"}});
  archive[archive.rfind("PK\1\2")] = 'x';
  EXPECT_EQ(code_of(read(archive)), ErrorCode::invalid);
  EXPECT_TRUE(items().at("a").is_whole);
}

TEST_F(ZipReaderTest, APartOfSeveralFilesSaysSo) {
  std::string archive = zip_of({{.name = "a", .content = "abc"}});
  archive[archive.size() - 18] = 3;
  const auto done = read(archive);
  ASSERT_EQ(code_of(done), ErrorCode::invalid);
  EXPECT_NE(done.error().message.find("several files"), std::string::npos);
}

/// A zip of more than 4 GiB, of which most is a hole.
class LargeHost final : public ArchiveHost {
 public:
  LargeHost(std::string begin, std::uint64_t hole, std::string end)
      : begin_(std::move(begin)), end_(std::move(end)), end_at_(begin_.size() + hole) {}
  std::uint64_t size_bytes() const override { return end_at_ + end_.size(); }
  std::optional<std::size_t> read(std::uint64_t offset, std::span<std::byte> out) override {
    std::size_t count = 0;
    for (; count < out.size() && offset + count < size_bytes(); ++count) {
      const std::uint64_t at = offset + count;
      const bool is_end = at >= end_at_;
      const bool is_begin = at < begin_.size();
      out[count] = is_end     ? static_cast<std::byte>(end_[at - end_at_])
                   : is_begin ? static_cast<std::byte>(begin_[at])
                              : std::byte{0};
    }
    return count;
  }
  bool wants(const PackedItem& item) override {
    names += item.name;
    return true;
  }
  void add(std::span<const std::byte> content) override {
    contents.append(reinterpret_cast<const char*>(content.data()), content.size());
  }
  void end_item() override { contents += '.'; }
  void break_item(std::string_view reason) override { contents += reason; }

  std::string names;
  std::string contents;

 private:
  std::string begin_;
  std::string end_;
  std::uint64_t end_at_;
};

TEST_F(ZipReaderTest, ALargeOneOfMacosIsRead) {
  // Its numbers are cut off at 4 GiB: the second item and the list lie behind.
  const std::string deflated{kPacked[0].second};
  RawZip zip;
  zip.add({.name = "a", .content = thousand(), .packed = deflated, .method = 8});
  const std::size_t first = zip.whole().find("PK\1\2");
  zip.add({.name = "b", .content = thousand(), .packed = deflated, .method = 8});
  zip.add({.name = "c", .content = ""});
  zip.add({.name = "d", .content = "d"});
  const std::string whole = zip.whole();
  LargeHost host(whole.substr(0, first), std::uint64_t{1} << 32, whole.substr(first));
  ASSERT_TRUE(read_archive(host, {}));
  EXPECT_EQ(host.names, "abcd");
  EXPECT_EQ(host.contents, thousand() + "." + thousand() + "..d.");
}

TEST_F(ZipReaderTest, TakesAnyBytes) {
  const auto archive = zip_of(
      {{.name = "a", .content = thousand(), .packed = std::string(kPacked[0].second), .method = 8},
       {.name = "b", .content = "b"}});
  for (std::size_t at = 0; at < archive.size(); ++at) {
    std::string broken = archive;
    broken[at] = static_cast<char>(broken[at] ^ 0xFF);
    (void)read(broken);
    for (const auto& noted : host_->items) {
      EXPECT_TRUE(!noted.is_whole || noted.content.size() == noted.item.size_bytes);
    }
  }
}

}  // namespace
}  // namespace coffer::core
