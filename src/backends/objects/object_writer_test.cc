#include "backends/objects/object_writer.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "async/run.h"
#include "backends/objects/object_backend.h"
#include "backends/objects/testing/memory_names.h"
#include "backends/objects/testing/scripted_blobs.h"
#include "storage/partial_name.h"

namespace coffer::objects {
namespace {

constexpr storage::NameTreeId kTree{1};
constexpr std::size_t kSegment = ObjectWriter::kSegmentBytes;

class ObjectWriterTest : public testing::Test {
 protected:
  std::unique_ptr<storage::Writer> writer(storage::WriteOptions options = {}) {
    return run(backend_.create(file_, std::move(options))).value();
  }
  Result<void> write(storage::Writer& writer, std::size_t bytes, char letter = 'x') {
    const std::string text(bytes, letter);
    return run(writer.write(std::as_bytes(std::span(text))));
  }
  Result<std::vector<storage::Published>> publish(const std::unique_ptr<storage::Writer>& writer) {
    return run(backend_.publish(std::span(&writer, 1), UINT64_MAX));
  }
  storage::StoredContentPtr content() { return run(names_.open(kTree, file_)).value().content; }
  std::size_t garbage() {
    return run(names_.garbage(std::chrono::seconds(0), 1000)).value().size();
  }

  MemoryNames names_;
  ScriptedBlobs blobs_;
  ObjectBackend backend_{names_, blobs_, kTree};
  const Path file_ = Path::parse("file").value();
};

TEST_F(ObjectWriterTest, HashesAsFips180Says) {
  Hash hash;
  const std::string_view abc = "abc";
  for (int round = 0; round < 2; ++round) {
    hash.update(std::as_bytes(std::span(abc)).first(1));
    hash.update(std::as_bytes(std::span(abc)).subspan(1));
    const Sha256 made = hash.take();
    EXPECT_EQ(std::to_integer<int>(made[0]), 0xba);
    EXPECT_EQ(std::to_integer<int>(made[1]), 0x78);
    EXPECT_EQ(std::to_integer<int>(made[31]), 0xad);
  }
}

TEST_F(ObjectWriterTest, KeepsSmallContentBesideTheName) {
  const auto small = writer();
  ASSERT_TRUE(write(*small, ObjectWriter::kSmallBytes));
  ASSERT_TRUE(publish(small));
  EXPECT_EQ(blobs_.stored.count(), 0U);
  EXPECT_EQ(content()->bytes.size(), ObjectWriter::kSmallBytes);
  EXPECT_TRUE(content()->segments.empty());
}

TEST_F(ObjectWriterTest, PutsLargerContentIntoAnObject) {
  const auto larger = writer();
  ASSERT_TRUE(write(*larger, ObjectWriter::kSmallBytes + 1));
  ASSERT_TRUE(publish(larger));
  EXPECT_EQ(blobs_.stored.count(), 1U);
  EXPECT_TRUE(content()->bytes.empty());
  ASSERT_EQ(content()->segments.size(), 1U);
  EXPECT_EQ(content()->segments[0].size_bytes, ObjectWriter::kSmallBytes + 1);
}

TEST_F(ObjectWriterTest, CutsContentIntoSegments) {
  const auto large = writer();
  ASSERT_TRUE(write(*large, kSegment - 1));
  ASSERT_TRUE(write(*large, kSegment + 1));
  EXPECT_EQ(blobs_.stored.count(), 2U);
  ASSERT_TRUE(write(*large, 1));
  ASSERT_TRUE(publish(large));
  ASSERT_EQ(content()->segments.size(), 3U);
  EXPECT_EQ(content()->segments[0].size_bytes, kSegment);
  EXPECT_EQ(content()->segments[1].size_bytes, kSegment);
  EXPECT_EQ(content()->segments[2].size_bytes, 1U);
  EXPECT_EQ(content()->segments[0].sha256, content()->segments[1].sha256);
  EXPECT_NE(content()->segments[0].sha256, content()->segments[2].sha256);
  EXPECT_EQ(garbage(), 0U);
}

TEST_F(ObjectWriterTest, HasTwoSegmentsUnderWayAtMost) {
  blobs_.hold();
  const auto large = writer();
  const std::string text(5 * kSegment, 'x');
  asio::io_context context(1);
  bool is_written = false;
  asio::co_spawn(context, large->write(std::as_bytes(std::span(text))),
                 [&](const std::exception_ptr& thrown, const Result<void>& written) {
                   is_written = !thrown && written;
                 });
  // Ends when nothing can go on: what waits for a PUT is no work of the context's queue.
  while (context.poll() > 0) continue;
  EXPECT_FALSE(is_written);
  EXPECT_EQ(blobs_.held(), 2U);
  EXPECT_LT(large->written_bytes(), 4 * kSegment);
  blobs_.let_go();
  context.run();
  EXPECT_TRUE(is_written);
  ASSERT_TRUE(publish(large));
  EXPECT_EQ(content()->segments.size(), 5U);
}

TEST_F(ObjectWriterTest, ManyUploadsHaveShortSegmentsAndLittleMemory) {
  constexpr std::uint64_t kRoom = 16 << 20;
  blobs_.room.emplace(MemoryRoom::Limits{.all = kRoom, .of_account = kRoom});
  blobs_.hold();
  std::vector<std::unique_ptr<storage::Writer>> writers;
  for (int number = 0; number < 20; ++number) {
    writers.push_back(writer());
    // The store takes nothing: two segments are under way and a third is filled.
    ASSERT_TRUE(write(*writers.back(), 600'000));
    EXPECT_LE(blobs_.room->taken(), kRoom);
  }
  blobs_.let_go();
  for (const auto& one : writers) ASSERT_TRUE(write(*one, 600'000, 'y'));
  ASSERT_TRUE(publish(writers.back()));
  std::uint64_t bytes = 0;
  for (const auto& segment : content()->segments) bytes += segment.size_bytes;
  EXPECT_EQ(bytes, 1'200'000U);
  EXPECT_GT(content()->segments.size(), 1U);
  for (const auto& one : writers) run(one->abandon());
  writers.clear();
  EXPECT_EQ(blobs_.room->taken(), 0U);
}

TEST_F(ObjectWriterTest, SendsNothingThatCannotBePublished) {
  ASSERT_TRUE(run(backend_.make_folder(file_)));
  const auto large = writer();
  const auto refused = write(*large, kSegment);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::exists);
  EXPECT_EQ(blobs_.stored.count(), 0U);
  EXPECT_EQ(publish(large).error().code, ErrorCode::exists);
}

TEST_F(ObjectWriterTest, ObjectsOfADestroyedWriterAreGarbage) {
  auto large = writer();
  ASSERT_TRUE(write(*large, kSegment + 1));
  ASSERT_TRUE(run(large->finish()));
  EXPECT_EQ(garbage(), 0U);
  large.reset();
  EXPECT_EQ(garbage(), 2U);
}

TEST_F(ObjectWriterTest, ObjectsOfAPublishedWriterAreNotGarbage) {
  auto large = writer();
  ASSERT_TRUE(write(*large, kSegment + 1));
  ASSERT_TRUE(publish(large));
  large.reset();
  EXPECT_EQ(garbage(), 0U);
}

TEST_F(ObjectWriterTest, AFailedSegmentFailsTheUpload) {
  blobs_.fail_with(ErrorCode::unready);
  auto large = writer();
  ASSERT_TRUE(write(*large, kSegment));  // It is under way.
  const auto published = publish(large);
  ASSERT_FALSE(published);
  EXPECT_EQ(published.error().code, ErrorCode::unready);
  blobs_.work_again();
  EXPECT_FALSE(publish(large));  // Its bytes are gone.
  EXPECT_FALSE(run(backend_.stat(file_)));
  large.reset();
  EXPECT_EQ(garbage(), 1U);
}

TEST_F(ObjectWriterTest, TellsTheIdentityBeforeAndTheVersionAfterwards) {
  const auto one = writer({.modified_at = Timestamp(std::chrono::seconds(1'000'000'000))});
  ASSERT_TRUE(write(*one, 1));
  ASSERT_TRUE(run(one->finish()));
  const auto identity = run(one->identity());
  EXPECT_TRUE(identity.is_known());
  EXPECT_EQ(run(one->shown_version()), std::nullopt);
  ASSERT_TRUE(publish(one));
  const auto entry = run(backend_.stat(file_)).value();
  EXPECT_EQ(entry.identity(), identity);
  EXPECT_EQ(run(one->shown_version()), version_of(entry));
}

}  // namespace
}  // namespace coffer::objects
