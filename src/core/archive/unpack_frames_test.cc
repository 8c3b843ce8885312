#include "core/archive/unpack_frames.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

TEST(UnpackFramesTest, SayWhatWasSaid) {
  const StartFrame start{1234, {.items = 5, .stream_bytes = 6}};
  const auto started = decode_start(encode(start));
  ASSERT_TRUE(started);
  EXPECT_EQ(started->size_bytes, 1234u);
  EXPECT_EQ(started->bounds.items, 5u);
  EXPECT_EQ(started->bounds.stream_bytes, 6u);
  EXPECT_EQ(started->names, std::nullopt);
  const auto with_names = decode_start(encode(StartFrame{1, {}, CharacterSet::shift_jis}));
  ASSERT_TRUE(with_names);
  EXPECT_EQ(with_names->names, CharacterSet::shift_jis);
  const auto wanted = decode_read(encode(ReadFrame{std::uint64_t{1} << 40, 77}));
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->offset, std::uint64_t{1} << 40);
  EXPECT_EQ(wanted->size_bytes, 77u);
  PackedItem item;
  item.name = "häuser/a\nb";
  EXPECT_EQ(decode_item(encode(item)), item);
  item.kind = PackedItem::Kind::of_unknown_method;
  item.size_bytes = 9;
  item.modified_at = timestamp_of(1'600'000'000, 5);
  item.is_listed_cheaply = true;
  EXPECT_EQ(decode_item(encode(item)), item);
  const Error error{ErrorCode::refused, "It is too much."};
  EXPECT_EQ(decode_failure(encode(error)), error);
}

TEST(UnpackFramesTest, WhatIsCutOffOrTooLongIsRefused) {
  const std::string start = encode(StartFrame{});
  const std::string wanted = encode(ReadFrame{});
  EXPECT_FALSE(decode_start(start.substr(1)));
  EXPECT_FALSE(decode_start(start + "x"));
  EXPECT_FALSE(decode_read(wanted.substr(1)));
  EXPECT_FALSE(decode_read(wanted + "x"));
  EXPECT_FALSE(decode_read(encode(ReadFrame{0, kMostFrameBytes + 1})));
  const std::string item = encode(PackedItem{});
  EXPECT_FALSE(decode_item(item.substr(1)));
  EXPECT_FALSE(decode_item("\x7f" + item.substr(1)));
  EXPECT_FALSE(decode_failure(""));
}

TEST(UnpackFramesTest, OnlyErrorsThatAnArchiveCanHaveAreTaken) {
  EXPECT_FALSE(decode_failure(encode(Error{ErrorCode::unauthenticated, "You are not known."})));
  EXPECT_FALSE(decode_failure(encode(Error{ErrorCode::invalid, "two\nlines"})));
  EXPECT_FALSE(decode_failure(encode(Error{ErrorCode::invalid, "\xff"})));
}

TEST(UnpackFramesTest, AnItemWithALongNameFitsIntoAFrame) {
  PackedItem item;
  item.name = std::string(1'000'000, 'x');
  EXPECT_LT(encode(item).size(), kMostFrameBytes);
}

}  // namespace
}  // namespace coffer::core
