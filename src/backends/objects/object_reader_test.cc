#include "backends/objects/object_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "async/run.h"
#include "backends/objects/object_backend.h"
#include "backends/objects/object_writer.h"
#include "backends/objects/testing/memory_names.h"
#include "backends/objects/testing/scripted_blobs.h"

namespace coffer::objects {
namespace {

constexpr std::size_t kSegment = ObjectWriter::kSegmentBytes;
constexpr std::size_t kBlock = ObjectReader::kBlockBytes;

class ObjectReaderTest : public testing::Test {
 protected:
  /// Publishes a file of so many bytes, of which no two places look alike, and opens it.
  std::unique_ptr<storage::Reader> open(std::size_t size) {
    while (text_.size() < size) text_ += std::to_string(text_.size()) + ' ';
    text_.resize(size);
    auto writer = run(backend_.create(file_, {})).value();
    EXPECT_TRUE(run(writer->write(std::as_bytes(std::span(text_)))));
    EXPECT_TRUE(run(backend_.publish(std::span(&writer, 1), UINT64_MAX)));
    return run(backend_.open(file_)).value();
  }
  /// Reads and compares up to so many bytes; returns how many came.
  std::size_t read(storage::Reader& reader, std::uint64_t offset, std::size_t most) {
    std::string out(most, '\0');
    const auto count = run(reader.read(offset, std::as_writable_bytes(std::span(out))));
    if (!count) return 0;
    EXPECT_EQ(out.substr(0, *count), text_.substr(offset, *count)) << offset;
    return *count;
  }

  MemoryNames names_;
  ScriptedBlobs blobs_;
  ObjectBackend backend_{names_, blobs_, {1}};
  const Path file_ = Path::parse("file").value();
  std::string text_;
};

TEST_F(ObjectReaderTest, ReadsSmallContentAtOnce) {
  const auto reader = open(100);
  std::array<std::byte, 10> out{};
  EXPECT_EQ(reader->read_now(95, out), 5U);
  EXPECT_EQ(reader->read_now(100, out), 0U);
  EXPECT_EQ(blobs_.stored.reads(), 0U);
}

TEST_F(ObjectReaderTest, ReadsAcrossSegments) {
  const auto reader = open(2 * kSegment + 5000);
  std::uint64_t offset = 0;
  for (std::size_t count = 0; (count = read(*reader, offset, 300'000)) > 0;) offset += count;
  EXPECT_EQ(offset, text_.size());
  // One read a block and none twice; from the sixth MiB on blocks are large.
  EXPECT_EQ(blobs_.stored.reads(), 5 + 1 + kSegment / ObjectReader::kLargeBlockBytes + 1);
}

TEST_F(ObjectReaderTest, ReadsOneBlockAheadInOrder) {
  const auto reader = open(kSegment);
  EXPECT_EQ(read(*reader, 0, kBlock), kBlock);
  EXPECT_EQ(blobs_.stored.reads(), 1U);  // It may be all that is wanted.
  EXPECT_EQ(read(*reader, kBlock, kBlock), kBlock);
  EXPECT_EQ(blobs_.stored.reads(), 3U);
  blobs_.fail_with(ErrorCode::unready);
  EXPECT_EQ(read(*reader, 2 * kBlock, kBlock), kBlock);  // It is there already.
}

TEST_F(ObjectReaderTest, ReadsLargeBlocksAheadInOrder) {
  const auto reader = open(4 * kSegment);
  constexpr std::size_t kFirst = ObjectReader::kBlocksBeforeLarge + 1;
  for (std::size_t block = 0; block < kFirst; ++block) {
    EXPECT_EQ(read(*reader, block * kBlock, kBlock), kBlock);
  }
  EXPECT_EQ(blobs_.stored.reads(), kFirst + ObjectReader::kLargeAhead);
  blobs_.fail_with(ErrorCode::unready);
  for (std::uint64_t at = kFirst * kBlock; at < 2 * kSegment; at += kBlock) {
    EXPECT_EQ(read(*reader, at, kBlock), kBlock);  // They are there already.
  }
  EXPECT_EQ(read(*reader, 2 * kSegment, kBlock), 0U);
}

TEST_F(ObjectReaderTest, ReadsLittleAfterAJump) {
  const auto reader = open(kSegment);
  EXPECT_EQ(read(*reader, 5'000'000, 10), 10U);
  std::array<std::byte, 1> out{};
  EXPECT_TRUE(reader->read_now(5'000'000 + ObjectReader::kFirstBlockBytes - 1, out));
  EXPECT_FALSE(reader->read_now(5'000'000 + ObjectReader::kFirstBlockBytes, out));
}

TEST_F(ObjectReaderTest, ReadsWithoutRoomForBlocks) {
  (void)open(4 * kBlock);
  blobs_.room.emplace(MemoryRoom::Limits{.all = 3 * kBlock, .of_account = 3 * kBlock});
  const auto second = run(backend_.open(file_)).value();
  const auto wide = run(backend_.open(file_)).value();
  EXPECT_EQ(read(*wide, 0, kBlock), kBlock);
  EXPECT_EQ(blobs_.room->taken(), 2 * kBlock);
  constexpr std::size_t kLittle = ObjectReader::kFirstBlockBytes;
  std::uint64_t offset = 0;
  for (std::size_t count = 0; (count = read(*second, offset, kBlock)) > 0;) {
    EXPECT_LE(count, kLittle);
    offset += count;
  }
  EXPECT_EQ(offset, text_.size());
  EXPECT_EQ(blobs_.room->taken(), 2 * kBlock);
}

TEST_F(ObjectReaderTest, ReadsWithoutRoomForLargeBlocks) {
  (void)open(2 * kSegment);
  const auto read_all = [&](storage::Reader& reader) {
    const auto before = blobs_.stored.reads();
    for (std::uint64_t at = 0, count = 1; count > 0; at += count) count = read(reader, at, kBlock);
    return blobs_.stored.reads() - before;
  };
  constexpr std::size_t kLarge = 2 * kSegment;  // Less than is kept of larger files.
  blobs_.room.emplace(MemoryRoom::Limits{.all = 2 * kLarge, .of_account = 2 * kLarge});
  auto first = run(backend_.open(file_)).value();
  EXPECT_LT(read_all(*first), 10U);
  EXPECT_EQ(blobs_.room->taken(), kLarge);
  const auto second = run(backend_.open(file_)).value();
  EXPECT_EQ(read_all(*second), 2 * kSegment / kBlock);
  first.reset();
  EXPECT_LT(read_all(*second), 10U);
}

TEST_F(ObjectReaderTest, AFileOfVeryManySegmentsWantsRoomForTheirList) {
  blobs_.room.emplace(MemoryRoom::Limits{.all = 4 * kBlock, .of_account = 4 * kBlock});
  storage::StoredContent content{.id = {1}, .size_bytes = 100'000};
  content.segments.assign(100'000, {.object = std::string(32, 'a'), .size_bytes = 1});
  const storage::NamedFile file{{}, std::make_shared<const storage::StoredContent>(content)};
  const auto refused = ObjectReader::make(file, blobs_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::overloaded);
  EXPECT_EQ(blobs_.room->taken(), 0U);
}

TEST_F(ObjectReaderTest, GoesOnAfterAFailure) {
  const auto reader = open(kSegment);
  EXPECT_EQ(read(*reader, 0, 10), 10U);
  EXPECT_EQ(read(*reader, kBlock, 10), 10U);
  blobs_.fail_with(ErrorCode::unready);
  std::array<std::byte, 10> out{};
  const auto failed = run(reader->read(5 * kBlock, out));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::unready);
  blobs_.work_again();
  EXPECT_EQ(read(*reader, 5 * kBlock, 10), 10U);
}

}  // namespace
}  // namespace coffer::objects
