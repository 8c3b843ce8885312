#include "core/archive/zip_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive/archive_reader.h"
#include "core/archive/testing/packed.h"
#include "core/archive/testing/unpacked.h"
#include "core/archive/zip_reader.h"

namespace coffer::core {
namespace {

using std::chrono::seconds;

constexpr Timestamp kTime{seconds{1'600'000'000}};
constexpr std::uint64_t k4Gib = std::uint64_t{1} << 32;
constexpr std::uint64_t kIn64 = 0xffffffff;
constexpr std::uint64_t kSizesFollow = 1 << 3;
constexpr std::uint64_t kUtf8Name = 1 << 11;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string random_bytes(std::size_t count) {
  std::mt19937 random(1);
  std::string bytes(count, '\0');
  std::ranges::generate(bytes, [&] { return static_cast<char>(random()); });
  return bytes;
}

/// `bytes` bytes at `at`, least first.
std::uint64_t number(std::string_view text, std::size_t at, int bytes) {
  std::uint64_t all = 0;
  for (int i = bytes - 1; i >= 0; --i) {
    all = all << 8 | static_cast<unsigned char>(text.at(at + static_cast<std::size_t>(i)));
  }
  return all;
}

/// The field of this kind among the extra fields of an entry; empty if there is none.
std::string_view field_of(std::string_view extra, std::uint64_t kind) {
  while (!extra.empty()) {
    const std::size_t size = number(extra, 2, 2);
    if (number(extra, 0, 2) == kind) return extra.substr(4, size);
    extra.remove_prefix(4 + size);
  }
  return {};
}

struct Local {
  std::uint64_t version, flags, method, crc, packed_size, size;
  std::string_view name, extra, rest;
};

Local local_at(std::string_view zip, std::size_t at) {
  zip.remove_prefix(at);
  EXPECT_EQ(number(zip, 0, 4), 0x04034b50u);
  const std::size_t name = number(zip, 26, 2);
  const std::size_t extra = number(zip, 28, 2);
  return {number(zip, 4, 2),
          number(zip, 6, 2),
          number(zip, 8, 2),
          number(zip, 14, 4),
          number(zip, 18, 4),
          number(zip, 22, 4),
          zip.substr(30, name),
          zip.substr(30 + name, extra),
          zip.substr(30 + name + extra)};
}

struct Listed {
  std::uint64_t version, flags, method, packed_size, size, attributes, offset;
  std::string_view name, extra;
};

/// The records of the list at the end. `begins_at` is where this part of the zip begins.
std::vector<Listed> list_of(std::string_view zip, std::uint64_t begins_at = 0) {
  const std::string_view end = zip.substr(zip.size() - 22);
  EXPECT_EQ(number(end, 0, 4), 0x06054b50u);
  std::uint64_t count = number(end, 10, 2);
  std::uint64_t at = number(end, 16, 4);
  if (count == 0xffff || at == kIn64) {
    const std::string_view locator = zip.substr(zip.size() - 42);
    EXPECT_EQ(number(locator, 0, 4), 0x07064b50u);
    const std::string_view end64 = zip.substr(number(locator, 8, 8) - begins_at);
    EXPECT_EQ(number(end64, 0, 4), 0x06064b50u);
    count = number(end64, 32, 8);
    at = number(end64, 48, 8);
  }
  std::vector<Listed> all;
  for (std::string_view rest = zip.substr(at - begins_at); all.size() < count;) {
    EXPECT_EQ(number(rest, 0, 4), 0x02014b50u);
    const std::size_t name = number(rest, 28, 2);
    const std::size_t extra = number(rest, 30, 2);
    all.push_back({number(rest, 6, 2), number(rest, 8, 2), number(rest, 10, 2), number(rest, 20, 4),
                   number(rest, 24, 4), number(rest, 38, 4), number(rest, 42, 4),
                   rest.substr(46, name), rest.substr(46 + name, extra)});
    rest.remove_prefix(46 + name + extra);
  }
  return all;
}

class ZipWriterTest : public testing::Test {
 protected:
  void add(std::string name, std::string_view content, Timestamp time = kTime) {
    const ArchiveHeader header{std::move(name), false, content.size(), time};
    ASSERT_TRUE(writer_.add(header, bytes_of(content)));
  }

  void add_in_pieces(std::string name, std::string_view content, std::uint64_t announced) {
    const ArchiveHeader header{std::move(name), false, announced, kTime};
    ASSERT_TRUE(writer_.begin(header));
    ASSERT_TRUE(writer_.write(bytes_of(content.substr(0, content.size() / 2))));
    ASSERT_TRUE(writer_.write(bytes_of(content.substr(content.size() / 2))));
    ASSERT_TRUE(writer_.end_entry());
  }

  std::string finished() {
    EXPECT_TRUE(writer_.finish());
    std::string all;
    std::string piece;
    do {
      writer_.take_output(piece);
      most_at_once_ = std::max(most_at_once_, piece.size());
      all += piece;
    } while (!piece.empty());
    return all;
  }

  ZipWriter writer_;
  std::size_t most_at_once_ = 0;
};

TEST_F(ZipWriterTest, AWholeEntryTellsItsSizeInFrontOfIt) {
  const std::string text(100'000, 'x');
  const std::string noise = random_bytes(100'000);
  add("text", text);
  add("noise", noise);
  add("photo.JPG", text);
  add("nothing", "");
  ASSERT_TRUE(writer_.add({"folder", true, 0, kTime}, {}));
  const std::string zip = finished();
  const auto list = list_of(zip);
  ASSERT_EQ(list.size(), 5u);
  for (const Listed& listed : list) {
    const Local local = local_at(zip, listed.offset);
    EXPECT_EQ(local.flags, kUtf8Name) << local.name;
    EXPECT_EQ(local.version, 20u);
    EXPECT_EQ(local.method, local.name == "text" ? 8u : 0u) << local.name;
    EXPECT_EQ(local.method, listed.method);
    EXPECT_EQ(local.packed_size, listed.packed_size);
    EXPECT_EQ(local.size, listed.size);
    EXPECT_TRUE(local.method == 8 || local.packed_size == local.size) << local.name;
  }
  EXPECT_LT(list[0].packed_size, text.size() / 100);
  EXPECT_EQ(list[1].size, noise.size());
  EXPECT_EQ(list[4].name, "folder/");
  EXPECT_EQ(list[0].attributes, 0100644u << 16);
  EXPECT_EQ(list[4].attributes, 0040755u << 16 | 0x10);
  const auto all = unpack(zip);
  EXPECT_EQ(all.at("text").content, text);
  EXPECT_TRUE(all.at("noise").content == noise);
  EXPECT_EQ(all.at("photo.JPG").content, text);
  EXPECT_EQ(all.at("nothing").content, "");
  EXPECT_TRUE(all.at("folder/").is_directory);
}

TEST_F(ZipWriterTest, AnEntryInPiecesIsDeflatedAndTellsItsSizeBehindIt) {
  const std::string noise = random_bytes(700'001);
  const std::string text(700'001, 'x');
  add_in_pieces("photo.jpg", noise, noise.size());
  add_in_pieces("noise", noise, noise.size());
  add_in_pieces("text", text, text.size());
  add_in_pieces("nothing", "", 10);
  const std::string zip = finished();
  const auto list = list_of(zip);
  ASSERT_EQ(list.size(), 4u);
  for (const Listed& listed : list) {
    const Local local = local_at(zip, listed.offset);
    EXPECT_EQ(local.flags, kUtf8Name | kSizesFollow) << local.name;
    EXPECT_EQ(local.version, 20u);
    EXPECT_EQ(local.method, 8u);
    EXPECT_EQ(local.crc + local.packed_size + local.size, 0u);
    const std::string_view descriptor = local.rest.substr(listed.packed_size, 16);
    EXPECT_EQ(number(descriptor, 0, 4), 0x08074b50u);
    EXPECT_EQ(number(descriptor, 8, 4), listed.packed_size);
    EXPECT_EQ(number(descriptor, 12, 4), listed.size);
  }
  EXPECT_GE(list[0].packed_size, noise.size());  // It was not compressed.
  EXPECT_LT(list[0].packed_size, noise.size() + noise.size() / 1000);
  const auto all = unpack(zip);
  EXPECT_TRUE(all.at("photo.jpg").content == noise);
  EXPECT_TRUE(all.at("noise").content == noise);
  EXPECT_EQ(all.at("text").content, text);
  EXPECT_EQ(all.at("nothing").content, "");
}

TEST_F(ZipWriterTest, AnEntryThatMayHave4GibHasSizesOf64Bits) {
  add_in_pieces("just not", "short", k4Gib - 2 * 1024 * 1024 - 1);
  add_in_pieces("might", "short", k4Gib - 2 * 1024 * 1024);
  const std::string zip = finished();
  const auto list = list_of(zip);
  EXPECT_EQ(local_at(zip, list.at(0).offset).version, 20u);
  const Local local = local_at(zip, list.at(1).offset);
  EXPECT_EQ(local.version, 45u);
  EXPECT_EQ(local.packed_size, kIn64);
  EXPECT_EQ(local.size, kIn64);
  EXPECT_EQ(field_of(local.extra, 1), std::string(16, '\0'));
  const std::string_view descriptor = local.rest.substr(list.at(1).packed_size, 24);
  EXPECT_EQ(number(descriptor, 0, 4), 0x08074b50u);
  EXPECT_EQ(number(descriptor, 8, 8), list.at(1).packed_size);
  EXPECT_EQ(number(descriptor, 16, 8), 5u);
  EXPECT_EQ(unpack(zip).at("might").content, "short");
}

/// The end of an archive, of which `beyond` bytes lie in front. Nothing but the item `wanted` is
/// unpacked.
class EndOfArchive final : public ArchiveHost {
 public:
  EndOfArchive(std::uint64_t beyond, std::string_view end, std::string_view wanted)
      : beyond_(beyond), end_(end), wanted_(wanted) {}
  std::uint64_t size_bytes() const override { return beyond_ + end_.size(); }
  std::optional<std::size_t> read(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= beyond_) {
      const auto at = static_cast<std::size_t>(offset - beyond_);
      return end_.copy(reinterpret_cast<char*>(out.data()), out.size(), at);
    }
    const auto count = std::min<std::uint64_t>(beyond_ - offset, out.size());
    std::ranges::fill(out.first(count), std::byte{0});
    return count;
  }
  bool wants(const PackedItem& item) override {
    sizes.push_back(item.size_bytes.value_or(0));
    return item.name == wanted_;
  }
  void add(std::span<const std::byte> content) override {
    contents.append(reinterpret_cast<const char*>(content.data()), content.size());
  }
  void end_item() override { contents += '.'; }
  void break_item(std::string_view reason) override { contents += reason; }

  std::vector<std::uint64_t> sizes;
  std::string contents;

 private:
  const std::uint64_t beyond_;
  const std::string_view end_;
  const std::string_view wanted_;
};

TEST_F(ZipWriterTest, NumbersOver4GibStandInFieldsOf64Bits) {
  const std::string block(1 << 20, '\0');
  const std::uint64_t size = k4Gib + block.size();
  ASSERT_TRUE(writer_.begin({"zeros.zip", false, size, kTime}));
  std::uint64_t begins_at = 0;
  std::string made;
  for (std::uint64_t written = 0; written < size; written += block.size()) {
    ASSERT_TRUE(writer_.write(bytes_of(block)));
    writer_.take_output(made);
    begins_at += made.size();
  }
  ASSERT_TRUE(writer_.end_entry());
  add("after", "hello");
  const std::string zip = finished();
  const auto list = list_of(zip, begins_at);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].version, 45u);
  EXPECT_EQ(list[0].size, kIn64);
  EXPECT_EQ(list[0].packed_size, kIn64);
  EXPECT_EQ(list[0].offset, 0u);
  const std::string_view sizes = field_of(list[0].extra, 1);
  ASSERT_EQ(sizes.size(), 16u);
  EXPECT_EQ(number(sizes, 0, 8), size);
  EXPECT_GT(number(sizes, 8, 8), size);
  EXPECT_EQ(list[1].size, 5u);
  EXPECT_EQ(list[1].offset, kIn64);
  const std::string_view offset = field_of(list[1].extra, 1);
  ASSERT_EQ(offset.size(), 8u);
  const Local after = local_at(zip, number(offset, 0, 8) - begins_at);
  EXPECT_EQ(after.name, "after");
  EXPECT_EQ(after.rest.substr(0, 5), "hello");
  EndOfArchive host(begins_at, zip, "after");
  const auto read = read_zip(host, {}, {});
  ASSERT_TRUE(read && *read);
  EXPECT_EQ(host.sizes, (std::vector<std::uint64_t>{size, 5}));
  EXPECT_EQ(host.contents, "hello.");
}

class ZipWriterCountTest : public ZipWriterTest, public testing::WithParamInterface<std::size_t> {};

TEST_P(ZipWriterCountTest, ManyEntriesAreCountedIn64Bits) {
  for (std::size_t i = 0; i < GetParam(); ++i) add(std::to_string(i), "");
  const std::string zip = finished();
  const std::string_view end = std::string_view(zip).substr(zip.size() - 22);
  EXPECT_EQ(number(end, 10, 2), std::min<std::uint64_t>(GetParam(), 0xffff));
  const bool has_locator = number(zip, zip.size() - 42, 4) == 0x07064b50;
  EXPECT_EQ(has_locator, GetParam() >= 0xffff);
  EXPECT_EQ(list_of(zip).size(), GetParam());
  EXPECT_EQ(unpack(zip).size(), GetParam());
  NotingHost host(zip);
  EXPECT_TRUE(read_archive(host, {}));
  EXPECT_EQ(host.items.size(), GetParam());
  EXPECT_LE(most_at_once_, zip.size() / 2);  // The list is given away in pieces.
}

INSTANTIATE_TEST_SUITE_P(Counts, ZipWriterCountTest, testing::Values(65'534, 65'535, 65'536));

TEST_F(ZipWriterTest, AnEmptyZipIsSound) {
  const std::string zip = finished();
  EXPECT_EQ(zip.size(), 22u);
  EXPECT_TRUE(list_of(zip).empty());
}

TEST_F(ZipWriterTest, TheListTakesNoMoreThanWasSaid) {
  std::uint64_t kept = 0;
  for (const bool is_directory : {false, true}) {
    const ArchiveHeader header{std::string(1000, 'n'), is_directory, 0, kTime};
    ASSERT_TRUE(writer_.add(header, {}));
    kept += writer_.kept_bytes_of(header);
  }
  const std::string zip = finished();
  const std::uint64_t list_bytes = number(zip, zip.size() - 10, 4);
  EXPECT_LE(list_bytes, kept);
  EXPECT_GE(2 * list_bytes, kept);
}

TEST_F(ZipWriterTest, ANameThatIsTooLongIsRefusedAndNothingElse) {
  const std::string longest(65'535, 'n');
  EXPECT_EQ(writer_.add({longest + 'n', false, 0, kTime}, {}).error().code, ErrorCode::invalid);
  EXPECT_EQ(writer_.begin({longest + 'n', false, 0, kTime}).error().code, ErrorCode::invalid);
  EXPECT_EQ(writer_.add({longest, true, 0, kTime}, {}).error().code, ErrorCode::invalid);
  EXPECT_EQ(writer_.output_bytes(), 0u);
  add(longest, "x");
  EXPECT_EQ(unpack(finished()).at(longest).content, "x");
}

TEST_F(ZipWriterTest, ATimeThatCannotBeKeptCountsAsUnknown) {
  add("early", "", kEarliest);
  add("none", "", Timestamp{});
  add("moon", "", Timestamp{seconds{-14'000'000}});
  add("now", "", kTime);
  add("late", "", Timestamp{seconds{std::int64_t{1} << 32}});
  const std::string zip = finished();
  for (const Listed& listed : list_of(zip)) {
    const std::string_view time = field_of(listed.extra, 0x5455);
    EXPECT_EQ(time, field_of(local_at(zip, listed.offset).extra, 0x5455));
    ASSERT_EQ(time.empty(), listed.name != "moon" && listed.name != "now") << listed.name;
    if (time.empty()) continue;
    EXPECT_EQ(time[0], 1);
    const auto told = static_cast<std::int32_t>(number(time, 1, 4));
    EXPECT_EQ(told, listed.name == "now" ? 1'600'000'000 : -14'000'000);
  }
}

}  // namespace
}  // namespace coffer::core
