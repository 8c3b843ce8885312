#include "backends/objects/segment_buffer.h"

#include <gtest/gtest.h>

#include <string>

#include "backends/objects/testing/scripted_blobs.h"

namespace coffer::objects {
namespace {

constexpr std::size_t kMiB = 1 << 20;
constexpr std::size_t kLeast = 256 << 10;

class SegmentBufferTest : public testing::Test {
 protected:
  /// Lets one owner hold so many bytes.
  void limit_room(std::uint64_t bytes) {
    blobs_.room.emplace(MemoryRoom::Limits{.all = bytes, .of_account = bytes});
  }
  std::uint64_t taken() const { return blobs_.room->taken(); }
  /// Appends in small pieces as long as some are taken, `most` bytes at most.
  std::size_t fill(SegmentBuffer& buffer, std::size_t most) {
    const std::string text(10'000, 'x');
    std::size_t filled = 0;
    while (filled < most && !buffer.is_full()) {
      const auto piece = std::as_bytes(std::span(text)).first(std::min(text.size(), most - filled));
      filled += buffer.append(piece);
    }
    return filled;
  }

  ScriptedBlobs blobs_;
};

TEST_F(SegmentBufferTest, FillsAWholeSegmentWhereThereIsRoom) {
  SegmentBuffer buffer(blobs_, kLeast);
  EXPECT_EQ(fill(buffer, 20 * kMiB), SegmentBuffer::kSegmentBytes);
  EXPECT_EQ(buffer.take().bytes.size(), SegmentBuffer::kSegmentBytes);
  EXPECT_TRUE(buffer.is_empty());
  EXPECT_EQ(fill(buffer, 20 * kMiB), SegmentBuffer::kSegmentBytes);
}

TEST_F(SegmentBufferTest, TakesRoomAsBytesCome) {
  limit_room(64 * kMiB);
  SegmentBuffer buffer(blobs_, kLeast);
  fill(buffer, kLeast / 2);
  EXPECT_EQ(taken(), 0U);
  fill(buffer, kMiB);
  EXPECT_GE(taken(), kMiB);
  EXPECT_LE(taken(), 4 * kMiB);
  EXPECT_LE(buffer.bytes().capacity(), taken());
  auto filled = std::make_optional(buffer.take());
  EXPECT_GE(taken(), kMiB) << "The bytes are still there.";
  filled.reset();
  EXPECT_EQ(taken(), 0U);
}

TEST_F(SegmentBufferTest, SegmentsAreShorterWhereRoomIsShort) {
  limit_room(2'700'000);
  SegmentBuffer first(blobs_, kLeast);
  EXPECT_GE(fill(first, 20 * kMiB), 2 * kMiB);
  SegmentBuffer second(blobs_, kLeast);
  EXPECT_EQ(fill(second, 20 * kMiB), kLeast);
  EXPECT_LE(second.bytes().capacity(), kLeast);
  EXPECT_EQ(second.append(std::as_bytes(std::span("x", 1))), 0U);
  (void)first.take();
  (void)second.take();
  EXPECT_GE(fill(second, 20 * kMiB), 2 * kMiB) << "There is room again.";
}

TEST_F(SegmentBufferTest, HashesWhatItHas) {
  SegmentBuffer buffer(blobs_, kLeast);
  Hash hash;
  const std::string text(1000, 'a');
  hash.update(std::as_bytes(std::span(text)));
  const Sha256 expected = hash.take();
  buffer.append(std::as_bytes(std::span(text)));
  EXPECT_EQ(buffer.copy().sha256, expected);
  EXPECT_EQ(buffer.copy().bytes.size(), text.size());
  buffer.set({std::byte{1}});
  buffer.set(std::vector<std::byte>(1000, std::byte{'a'}));
  EXPECT_EQ(buffer.take().sha256, expected);
}

}  // namespace
}  // namespace coffer::objects
