#include "backends/sftp/packet.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace coffer::sftp {
namespace {

using namespace std::string_view_literals;

TEST(PacketWriter, WritesLengthTypeIdAndFields) {
  PacketWriter writer;
  writer.begin(PacketType::open, 7);
  writer.text("a").u64(258).attributes({.permissions = 0x1ff});
  writer.end();
  EXPECT_EQ(writer.packets(),
            "\0\0\0\x1a\x03\0\0\0\x07\0\0\0\x01"
            "a\0\0\0\0\0\0\x01\x02\0\0\0\x04\0\0\x01\xff"sv);
}

TEST(PacketWriter, WritesPacketsBehindEachOther) {
  PacketWriter writer;
  for (const std::uint32_t id : {1U, 2U}) {
    writer.begin(PacketType::close, id);
    writer.end();
  }
  EXPECT_EQ(writer.packets(), "\0\0\0\x05\x04\0\0\0\x01\0\0\0\x05\x04\0\0\0\x02"sv);
}

TEST(PacketWriter, TimesThatTheProtocolCannotTellAreNone) {
  EXPECT_EQ(to_seconds(timestamp_of(1'000'000'000)), 1'000'000'000U);
  EXPECT_EQ(to_seconds(timestamp_of(4'294'967'295)), UINT32_MAX);
  EXPECT_EQ(to_seconds(timestamp_of(-1)), std::nullopt);
  EXPECT_EQ(to_seconds(kEarliest), std::nullopt);
  EXPECT_EQ(to_seconds(timestamp_of(4'294'967'296)), std::nullopt);
  EXPECT_EQ(to_seconds(kLatest), std::nullopt);
}

TEST(PacketReader, ReadsBackWhatWasWritten) {
  PacketWriter writer;
  writer.begin(PacketType::write, 9);
  writer.text("handle").u64(UINT64_MAX).u32(5);
  writer.attributes({.size_bytes = 10, .permissions = S_IFREG | 0644, .modified_s = 1000});
  writer.end();
  PacketReader reader(writer.packets());
  EXPECT_EQ(reader.u32(), writer.packets().size() - 4);
  EXPECT_EQ(reader.u8(), 6);
  EXPECT_EQ(reader.u32(), 9U);
  EXPECT_EQ(reader.text(), "handle");
  EXPECT_EQ(reader.u64(), UINT64_MAX);
  EXPECT_EQ(reader.u32(), 5U);
  const auto attributes = reader.attributes();
  EXPECT_EQ(attributes.size_bytes, 10U);
  EXPECT_EQ(attributes.modified_s, 1000U);
  EXPECT_TRUE(attributes.is_file());
  EXPECT_TRUE(reader.good());
  EXPECT_TRUE(reader.at_end());
}

TEST(PacketReader, SkipsOwnersAndExtendedAttributes) {
  PacketReader reader(
      "\x80\0\0\x06\0\0\0\x01\0\0\0\x02\0\0\x41\xed\0\0\0\x01\0\0\0\x01x\0\0\0\x01y"
      "\0\0\0\x2a"sv);
  EXPECT_TRUE(reader.attributes().is_folder());
  EXPECT_EQ(reader.u32(), 42U);
  EXPECT_TRUE(reader.good());
}

TEST(PacketReader, IsNotGoodWhereAFieldIsCutOff) {
  for (const auto cut : {""sv, "\0\0\0"sv,
                         "\0\0\0\x04"
                         "abc"sv,
                         "\xff\xff\xff\xff"
                         "abc"sv}) {
    PacketReader reader(cut);
    EXPECT_EQ(reader.text(), "");
    EXPECT_FALSE(reader.good());
  }
}

TEST(PacketReader, EndsWhereACountOfAttributesIsFalse) {
  PacketReader reader("\x80\0\0\0\xff\xff\xff\xff"sv);
  reader.attributes();
  EXPECT_FALSE(reader.good());
}

TEST(Attributes, WithoutPermissionsAreOfNoKind) {
  const Attributes unknown;
  EXPECT_FALSE(unknown.is_file() || unknown.is_folder() || unknown.is_link());
}

}  // namespace
}  // namespace coffer::sftp
