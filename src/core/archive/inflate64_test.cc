#include "core/archive/inflate64.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace coffer::core {
namespace {

using namespace std::string_view_literals;

/// Makes a stream by hand.
class Packing {
 public:
  void add(std::uint32_t bits, unsigned count) {
    for (unsigned i = 0; i < count; ++i) add_bit(bits >> i & 1U);
  }
  /// Of a Huffman code, whose first bit comes first.
  void add_code(std::uint32_t code, unsigned count) {
    for (unsigned i = count; i-- > 0;) add_bit(code >> i & 1U);
  }
  void add_stored(std::string_view content) {
    add(0, 3);
    while (used_ != 0) add_bit(0);
    add(static_cast<std::uint32_t>(content.size()), 16);
    add(static_cast<std::uint32_t>(content.size()) ^ 0xFFFFU, 16);
    for (const char c : content) add(static_cast<unsigned char>(c), 8);
  }
  void begin_fixed() { add(0b011, 3); }
  void add_fixed(unsigned symbol) {
    if (symbol < 144) return add_code(0x30 + symbol, 8);
    if (symbol < 256) return add_code(0x190 + symbol - 144, 9);
    if (symbol < 280) return add_code(symbol - 256, 7);
    add_code(0xC0 + symbol - 280, 8);
  }
  std::string take() { return std::move(bytes_); }

 private:
  void add_bit(unsigned bit) {
    if (used_ == 0) bytes_ += '\0';
    bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | bit << used_);
    used_ = (used_ + 1) % 8;
  }
  std::string bytes_;
  unsigned used_ = 0;
};

/// Nothing where it is damaged; gives the stream in blocks of so many bytes.
std::optional<std::string> unpack(std::string_view packed, std::size_t block = SIZE_MAX,
                                  std::size_t most = SIZE_MAX) {
  std::string content;
  const auto source = [&] {
    const auto next = packed.substr(0, block);
    packed.remove_prefix(next.size());
    return std::as_bytes(std::span(next));
  };
  const auto sink = [&](std::span<const std::byte> bytes) {
    content.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return content.size() <= most;
  };
  if (!inflate64(source, sink)) return std::nullopt;
  return content;
}

std::string far_match() {
  Packing packing;
  packing.add_stored("begin" + std::string(59'995, 'x'));
  packing.begin_fixed();
  packing.add_fixed(257);   // A length of 3,
  packing.add_code(31, 5);  // a distance of 49,153 and more, which Deflate does not have.
  packing.add(60'000 - 49'153, 14);
  packing.add_fixed('!');
  packing.add_fixed(285);  // A length of 3 and more, in Deflate 258.
  packing.add(65'535, 16);
  packing.add_code(0, 5);  // A distance of 1.
  packing.add_fixed(256);
  return packing.take();
}

TEST(Inflate64Test, UnpacksWhatDeflateDoesNotHave) {
  const std::string wanted =
      "begin" + std::string(59'995, 'x') + "beg" + std::string(1 + 65'538, '!');
  EXPECT_EQ(unpack(far_match()), wanted);
  EXPECT_EQ(unpack(far_match(), 1), wanted);
}

TEST(Inflate64Test, UnpacksWhatAnotherProgramMade) {
  // By 7-Zip, of 200 times "The quick brown fox 0\n" with the number counted up.
  constexpr std::string_view kPacked =
      "\x74\xd6\xcd\x49\x43\x61\x10\x40\xd1\xbd\x55\xbc\x12\xbe\xdf\x99\x49\x1f\x56\xa0\x28\x8a\x60"
      "\x50"
      "\x08\x49\xf9\x69\xe0\xbc\xed\xd9\xdd\xdd\x7d\xfd\xfa\x38\xfe\x6e\xdf\xef\x3f\xc7\xdb\xff\xf5"
      "\xfe"
      "\x7b\x7c\x5e\x1f\x47\x7b\x91\x76\xea\xa0\x4e\xea\xa2\x6e\x6a\x50\x93\x5a\xd4\x8b\x2b\x9a\xb9"
      "\x9b"
      "\x87\x79\x9a\x97\x79\x9b\xc3\x9c\xe6\x32\xbb\x72\x34\x73\x37\x0f\xf3\x34\x2f\xf3\x36\x87\x39"
      "\xcd"
      "\x65\x76\xe5\x6c\xe6\x6e\x1e\xe6\x69\x5e\xe6\x6d\x0e\x73\x9a\xcb\xec\xca\xd5\xcc\xdd\x3c\xcc"
      "\xd3"
      "\xbc\xcc\xdb\x1c\xe6\x34\x97\xd9\x95\xbb\x99\xbb\x79\x98\xa7\x79\x99\xb7\x39\xcc\x69\x2e\xb3"
      "\x2b"
      "\xa3\x99\xbb\x79\x98\xa7\x79\x99\xb7\x39\xcc\x69\x2e\xb3\x2b\xb3\x99\xbb\x79\x98\xa7\x79\x99"
      "\xb7"
      "\x39\xcc\x69\x2e\xb3\x2b\xab\x99\xbb\x79\x98\xa7\x79\x99\xb7\x39\xcc\x69\x2e\xb3\x2b\x2f\xcd"
      "\xdc"
      "\xcd\xc3\x3c\xcd\xcb\xbc\xcd\x61\x4e\x73\x99\xcf\xae\xa0\x9d\x78\x3f\xf1\x67\x9d\x75\x4e\xc0"
      "\x40"
      "\x0c\x04\x30\xb0\x0f\x1a\xdb\xfb\x1e\x7f\x62\x41\x30\xed\x74\xea\xf4\xe0\x01\x4f\x78\xc1\x1b"
      "\x3e"
      "\xf0\x85\xa3\x97\x1b\x74\xe1\x0f\x1e\xf0\x84\x17\xbc\xe1\x03\x5f\x38\x7a\xdf\x81\x5f\xf8\x83"
      "\x07"
      "\x3c\xe1\x05\x6f\xf8\xc0\x17\x8e\xde\x38\xf0\x0b\x7f\xf0\x80\x27\xbc\xe0\x0d\x1f\xf8\xc2\xd1"
      "\x9b"
      "\x07\x7e\xe1\x0f\x1e\xf0\x84\x17\xbc\xe1\x03\x5f\x38\x7a\xeb\xc0\x2f\xfc\xc1\x03\x9e\xf0\x82"
      "\x37"
      "\x7c\xe0\x0b\x47\x6f\x1f\xf8\x85\x3f\x78\xc0\x13\x5e\xf0\x86\x0f\x7c\xe1\xe8\x9d\x03\xbf\xf0"
      "\x07"
      "\x0f\x78\xc2\x0b\xde\xf0\x81\x2f\x1c\xbd\x7b\xe0\x17\xfe\xe0\x01\x4f\x78\xc1\x1b\x3e\xf0\x85"
      "\xa3"
      "\xf7\x3b\xf0\x0b\x7f\xf0\x80\x27\xbc\xe0\x0d\x1f\xf8\xc2\xbf\xdf\x1f"sv;
  std::string wanted;
  for (int i = 0; i < 200; ++i) wanted += "The quick brown fox " + std::to_string(i) + "\n";
  EXPECT_EQ(unpack(kPacked), wanted);
}

TEST(Inflate64Test, WhatIsCutOffOrDamagedIsNone) {
  const std::string whole = far_match();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{3}, std::size_t{30'000}, whole.size() - 1}) {
    EXPECT_EQ(unpack(whole.substr(0, size)), std::nullopt) << size;
  }
  Packing before_begin;
  before_begin.begin_fixed();
  before_begin.add_fixed('a');
  before_begin.add_fixed(257);
  before_begin.add_code(1, 5);  // Two back, where only one is.
  before_begin.add_fixed(256);
  EXPECT_EQ(unpack(before_begin.take()), std::nullopt);
  EXPECT_EQ(unpack("\x07"), std::nullopt);  // A block of a kind that there is not.
}

TEST(Inflate64Test, ADistanceIntoWhatWasNeverWrittenIsDamage) {
  Packing packing;
  packing.begin_fixed();
  packing.add_fixed(257);
  packing.add_code(0, 5);
  packing.add_fixed(256);
  EXPECT_EQ(unpack(packing.take()), std::nullopt);
}

TEST(Inflate64Test, EndsWhereTheSinkEndsIt) {
  EXPECT_EQ(unpack(far_match(), SIZE_MAX, 1000), std::nullopt);
}

TEST(Inflate64Test, TakesAnyBytes) {
  std::uint32_t state = 1;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes(200, '\0');
    for (char& byte : bytes) {
      state = state * 1'664'525 + 1'013'904'223;
      byte = static_cast<char>(state >> 24);
    }
    bytes.front() = static_cast<char>(round % 2 == 0 ? 5 : 3);  // Of codes of its own, or fixed.
    const auto content = unpack(bytes, SIZE_MAX, 1'000'000);
    EXPECT_TRUE(!content || content->size() <= 1'000'000);
  }
}

}  // namespace
}  // namespace coffer::core
