#include "backends/objects/object_spool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "async/run.h"
#include "backends/objects/object_backend.h"
#include "backends/objects/object_writer.h"
#include "backends/objects/testing/memory_names.h"
#include "backends/objects/testing/scripted_blobs.h"

namespace coffer::objects {
namespace {

constexpr storage::NameTreeId kTree{1};
constexpr std::size_t kSegment = SegmentBuffer::kSegmentBytes;
constexpr std::size_t kShort = ObjectSpoolFile::kShortBytes;
constexpr std::size_t kMiB = 1 << 20;

/// Bytes of which no two places have the same.
std::vector<std::byte> bytes_of(std::size_t begin, std::size_t end) {
  std::vector<std::byte> bytes(end - begin);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t at = begin + i;
    bytes[i] = static_cast<std::byte>((at / 251 + at % 251 * 7 + at / 65521) & 255U);
  }
  return bytes;
}

class ObjectSpoolTest : public testing::Test {
 protected:
  using File = std::unique_ptr<storage::SpoolFile>;

  /// As a request that takes the upload's turn.
  File open(std::size_t size) {
    turn_ = names_.take_turn(upload_);
    return run(spool_.open(turn_, size, pool_)).value();
  }
  ErrorCode error_of_open(std::size_t size) {
    return run(spool_.open(names_.take_turn(upload_), size, pool_)).error().code;
  }
  /// Appends the bytes that belong there.
  static Result<void> append(const File& file, std::size_t count) {
    const auto bytes = bytes_of(file->size_bytes(), file->size_bytes() + count);
    return run(file->append(bytes));
  }
  /// Appends in a request of its own.
  void receive(std::size_t size, std::size_t count) {
    const File file = open(size);
    ASSERT_TRUE(append(file, count));
    ASSERT_TRUE(run(file->sync()));
    ASSERT_EQ(file->size_bytes(), size + count);
  }
  static std::vector<std::byte> content(const File& file) {
    std::vector<std::byte> all;
    std::vector<std::byte> block(300'000);
    for (;;) {
      const auto count = run(file->read(all.size(), block)).value();
      if (count == 0) return all;
      all.insert(all.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
    }
  }
  bool has_content(const File& file, std::size_t size) {
    return file->size_bytes() == size && content(file) == bytes_of(0, size);
  }
  std::vector<storage::UploadSegment> segments() {
    return run(names_.find(upload_, 0, 1000)).value();
  }
  std::vector<std::size_t> segment_sizes() {
    std::vector<std::size_t> sizes;
    for (const auto& one : segments()) {
      sizes.push_back(one.segment.size_bytes);
    }
    return sizes;
  }
  std::vector<std::string> garbage_objects() {
    return run(names_.garbage(std::chrono::seconds(0), 10000)).value();
  }
  std::size_t garbage() { return garbage_objects().size(); }
  /// The number of stored objects that are neither garbage nor part of the upload.
  std::size_t strays() {
    auto known = garbage_objects();
    for (const auto& one : segments()) {
      known.push_back(one.segment.object);
    }
    return static_cast<std::size_t>(std::ranges::count_if(
        blobs_.stored.ids(),
        [&](const ObjectId& id) { return std::ranges::find(known, id.value) == known.end(); }));
  }

  MemoryNames names_;
  ScriptedBlobs blobs_;
  ObjectSpool spool_{{names_, names_, blobs_}};
  ObjectBackend backend_{names_, blobs_, kTree};
  Pool pool_{1};
  const UploadId upload_{"a"};
  storage::UploadTurn turn_;
  const Path target_ = Path::parse("file").value();
};

TEST_F(ObjectSpoolTest, KeepsBytesInSegments) {
  const File file = open(0);
  ASSERT_TRUE(append(file, 2 * kSegment + 3 * kMiB));
  EXPECT_EQ(blobs_.stored.count(), 2U);
  EXPECT_TRUE(segment_sizes().empty());
  ASSERT_TRUE(run(file->sync()));
  EXPECT_EQ(segment_sizes(), (std::vector<std::size_t>{kSegment, kSegment, 3 * kMiB}));
  EXPECT_TRUE(has_content(file, 2 * kSegment + 3 * kMiB));
  EXPECT_TRUE(has_content(open(2 * kSegment + 3 * kMiB), 2 * kSegment + 3 * kMiB));
  EXPECT_EQ(run(spool_.names(pool_)).value(), std::vector<std::string>{"a"});
  EXPECT_EQ(garbage(), 0U);
  EXPECT_EQ(error_of_open(2 * kSegment + 3 * kMiB + 1), ErrorCode::not_found);
  EXPECT_GT(run(spool_.free_bytes(pool_)).value(), std::uint64_t{1} << 37);
}

TEST_F(ObjectSpoolTest, HashesWhatItStores) {
  receive(0, 1000);
  receive(1000, 1000);
  const auto segments = run(names_.find(upload_, 0, 10)).value();
  ASSERT_EQ(segments.size(), 1U);
  Hash hash;
  hash.update(bytes_of(0, 2000));
  EXPECT_EQ(segments[0].segment.sha256, hash.take());
}

TEST_F(ObjectSpoolTest, ShortTailsAreStoredAnewWithWhatComesNext) {
  constexpr std::size_t kPiece = 100'000;
  constexpr std::size_t kPieces = 60;
  for (std::size_t i = 0; i < kPieces; ++i) receive(i * kPiece, kPiece);
  EXPECT_LE(segment_sizes().size(), kPieces * kPiece / kShort + 1);
  EXPECT_TRUE(has_content(open(kPieces * kPiece), kPieces * kPiece));
  EXPECT_EQ(strays(), 0U);
  EXPECT_EQ(garbage() + segment_sizes().size(), kPieces);
}

TEST_F(ObjectSpoolTest, SyncsWithinARequestAddToTheTail) {
  const File file = open(0);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(append(file, 500'000));
    ASSERT_TRUE(run(file->sync()));
    ASSERT_TRUE(run(file->sync()));
  }
  EXPECT_EQ(blobs_.stored.puts(), 10U);
  EXPECT_EQ(blobs_.stored.reads(), 0U);
  EXPECT_TRUE(has_content(file, 5'000'000));
  EXPECT_TRUE(has_content(open(5'000'000), 5'000'000));
  EXPECT_EQ(strays(), 0U);
}

TEST_F(ObjectSpoolTest, IsOpenedAtAnySize) {
  receive(0, kSegment + 3 * kMiB);
  receive(kSegment + 3 * kMiB, 1000);
  const std::size_t whole = kSegment + 3 * kMiB + 1000;
  for (const std::size_t size :
       {whole, whole - 1, whole - 1000, kSegment + 1, kSegment, kSegment - 1, kShort, kShort - 1,
        std::size_t{1}, std::size_t{0}}) {
    EXPECT_TRUE(has_content(open(size), size)) << size;
    const File file = open(size);
    ASSERT_TRUE(append(file, 2000));
    EXPECT_TRUE(has_content(file, size + 2000)) << size;
  }
  // Nothing of this was noted.
  EXPECT_TRUE(has_content(open(whole), whole));
  for (std::size_t size :
       {whole - 1, kSegment + 1, kSegment, kSegment - 1, kShort, std::size_t{0}}) {
    receive(size, 500);
    EXPECT_EQ(error_of_open(size + 501), ErrorCode::not_found);
    EXPECT_TRUE(has_content(open(size + 500), size + 500)) << size;
    EXPECT_EQ(strays(), 0U);
  }
}

TEST_F(ObjectSpoolTest, IsCutAnywhere) {
  constexpr std::size_t kBefore = 500'000;
  constexpr std::size_t kWhole = kBefore + 2 * kSegment;
  for (const std::size_t size :
       {kWhole, kWhole - 1, 2 * kSegment, 2 * kSegment - 1, kSegment + 1, kSegment, kSegment - 1,
        kBefore + 1, kBefore, kBefore - 1, std::size_t{0}}) {
    ASSERT_TRUE(run(spool_.remove("a", pool_)));
    receive(0, kBefore);
    const File file = open(kBefore);
    ASSERT_TRUE(append(file, kWhole - kBefore));
    ASSERT_TRUE(run(file->truncate(size)));
    EXPECT_TRUE(has_content(file, size)) << size;
    EXPECT_TRUE(has_content(open(kBefore), kBefore)) << size;
    const File again = open(kBefore);
    ASSERT_TRUE(append(again, kWhole - kBefore));
    ASSERT_TRUE(run(again->truncate(size)));
    ASSERT_TRUE(append(again, 10));
    ASSERT_TRUE(run(again->sync()));
    EXPECT_TRUE(has_content(again, size + 10)) << size;
    EXPECT_TRUE(has_content(open(size + 10), size + 10)) << size;
    EXPECT_EQ(run(again->truncate(size + 11)).error().code, ErrorCode::not_found);
  }
}

TEST_F(ObjectSpoolTest, NotedBytesAreCutWithoutANote) {
  receive(0, kSegment + 1000);
  const File file = open(kSegment + 1000);
  ASSERT_TRUE(append(file, 10));
  ASSERT_TRUE(run(file->sync()));
  ASSERT_TRUE(run(file->truncate(kSegment + 5)));
  ASSERT_TRUE(run(file->truncate(7)));
  ASSERT_TRUE(run(file->sync()));
  EXPECT_TRUE(has_content(file, 7));
  EXPECT_TRUE(has_content(open(kSegment + 1010), kSegment + 1010));
}

TEST_F(ObjectSpoolTest, RemovedBytesAreGarbage) {
  receive(0, kSegment + 1);
  ASSERT_TRUE(run(spool_.remove("a", pool_)));
  ASSERT_TRUE(run(spool_.remove("a", pool_)));
  EXPECT_EQ(garbage(), 2U);
  EXPECT_TRUE(run(spool_.names(pool_)).value().empty());
  EXPECT_EQ(error_of_open(1), ErrorCode::not_found);
  EXPECT_TRUE(has_content(open(0), 0));
}

TEST_F(ObjectSpoolTest, AFailedPutLeavesTheUploadAsItWas) {
  receive(0, 1000);
  for (const auto moment :
       {MemoryBlobs::Moment::before_effect, MemoryBlobs::Moment::after_effect}) {
    File file = open(1000);
    blobs_.stored.fail_put(2, moment);
    EXPECT_TRUE(append(file, 2 * kSegment));
    const auto synced = run(file->sync());
    ASSERT_FALSE(synced);
    EXPECT_EQ(synced.error().code, ErrorCode::unready);
    EXPECT_FALSE(append(file, 1));
    EXPECT_FALSE(run(file->truncate(1000)));
    file.reset();
    EXPECT_TRUE(has_content(open(1000), 1000));
    EXPECT_EQ(strays(), 0U);
  }
  receive(1000, 2 * kSegment);
  EXPECT_TRUE(has_content(open(1000 + 2 * kSegment), 1000 + 2 * kSegment));
}

TEST_F(ObjectSpoolTest, AFailedReadOfTheTailFailsTheAppend) {
  receive(0, 1000);
  blobs_.stored.fail_read(1);
  const File file = open(1000);
  EXPECT_EQ(append(file, 10).error().code, ErrorCode::unready);
  EXPECT_EQ(file->size_bytes(), 1000U);
  receive(1000, 10);
  EXPECT_TRUE(has_content(open(1010), 1010));
}

TEST_F(ObjectSpoolTest, ALostNoteLeavesTheUploadAsItWasOrAsItShouldBe) {
  for (const bool has_effect : {false, true}) {
    ASSERT_TRUE(run(spool_.remove("a", pool_)));
    receive(0, 1000);
    File file = open(1000);
    ASSERT_TRUE(append(file, kSegment));
    names_.fail_replace(has_effect);
    EXPECT_EQ(run(file->sync()).error().code, ErrorCode::failed);
    file.reset();
    EXPECT_TRUE(has_content(open(1000), 1000));
    EXPECT_EQ(strays(), 0U);
    receive(1000, 5000);
    EXPECT_TRUE(has_content(open(6000), 6000));
  }
}

TEST_F(ObjectSpoolTest, WhatACrashLeavesBetweenPutAndNoteIsGarbageOfTheRun) {
  receive(0, kSegment);
  // The file is not destroyed, as in a process that is killed.
  auto* const file = open(kSegment).release();
  const auto bytes = bytes_of(kSegment, 3 * kSegment);
  ASSERT_TRUE(run(file->append(bytes)));
  EXPECT_EQ(blobs_.stored.count(), 3U);
  EXPECT_EQ(garbage(), 0U);
  names_.end_run();
  EXPECT_EQ(garbage(), 2U);
  EXPECT_TRUE(has_content(open(kSegment), kSegment));
  delete file;
}

TEST_F(ObjectSpoolTest, HasTwoSegmentsUnderWayAtMost) {
  blobs_.hold();
  const File file = open(0);
  const auto bytes = bytes_of(0, 5 * kSegment);
  asio::io_context context(1);
  bool is_appended = false;
  asio::co_spawn(context, file->append(bytes),
                 [&](const std::exception_ptr& thrown, const Result<void>& appended) {
                   is_appended = !thrown && appended;
                 });
  while (context.poll() > 0) continue;
  EXPECT_FALSE(is_appended);
  EXPECT_EQ(blobs_.held(), 2U);
  blobs_.let_go();
  context.run();
  EXPECT_TRUE(is_appended);
  ASSERT_TRUE(run(file->sync()));
  EXPECT_TRUE(has_content(file, 5 * kSegment));
}

TEST_F(ObjectSpoolTest, ARequestThatLostItsTurnNotesNothing) {
  receive(0, 1000);
  File earlier = open(1000);
  ASSERT_TRUE(append(earlier, 2 * kSegment));
  receive(1000, 5000);
  EXPECT_EQ(run(earlier->sync()).error().code, ErrorCode::conflict);
  earlier.reset();
  EXPECT_TRUE(has_content(open(6000), 6000));
  EXPECT_EQ(strays(), 0U);
}

class ObjectAdoptTest : public ObjectSpoolTest {
 protected:
  std::unique_ptr<storage::Writer> adopted(const File& file, storage::WriteOptions options = {}) {
    auto writer = run(backend_.create(target_, std::move(options))).value();
    EXPECT_EQ(run(writer->adopt(*file)), Result<bool>(true));
    EXPECT_EQ(writer->written_bytes(), file->size_bytes());
    return writer;
  }
  Result<std::vector<storage::Published>> publish(const std::unique_ptr<storage::Writer>& writer,
                                                  std::uint64_t limit = UINT64_MAX) {
    return run(backend_.publish(std::span(&writer, 1), limit));
  }
  std::vector<std::byte> published() {
    const auto reader = run(backend_.open(target_)).value();
    std::vector<std::byte> all;
    std::vector<std::byte> block(kMiB);
    for (;;) {
      const auto count = run(reader->read(all.size(), block)).value();
      if (count == 0) return all;
      all.insert(all.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
    }
  }
};

TEST_F(ObjectAdoptTest, PublishesWithoutACopy) {
  receive(0, kSegment + 1000);
  const auto puts = blobs_.stored.puts();
  const auto reads = blobs_.stored.reads();
  const File file = open(kSegment + 1000);
  auto writer = adopted(file);
  ASSERT_EQ(publish(writer).value()[0].size_bytes, kSegment + 1000);
  EXPECT_EQ(blobs_.stored.puts(), puts);
  EXPECT_EQ(blobs_.stored.reads(), reads);
  EXPECT_EQ(published(), bytes_of(0, kSegment + 1000));
  const auto entry = run(backend_.stat(target_)).value();
  EXPECT_EQ(static_cast<std::uint64_t>(names_.content_of(upload_).value), entry.file_id);
  EXPECT_TRUE(segment_sizes().empty());
  ASSERT_TRUE(run(spool_.remove("a", pool_)));
  EXPECT_EQ(garbage(), 0U);
  EXPECT_EQ(run(writer->shown_version()), version_of(entry));
  // They belong to the file alone.
  ASSERT_TRUE(run(backend_.remove(target_)));
  EXPECT_EQ(garbage(), 2U);
}

TEST_F(ObjectAdoptTest, ASmallUploadIsKeptBesideTheName) {
  receive(0, ObjectWriter::kSmallBytes);
  const File file = open(ObjectWriter::kSmallBytes);
  const auto writer = adopted(file);
  ASSERT_TRUE(publish(writer));
  EXPECT_EQ(published(), bytes_of(0, ObjectWriter::kSmallBytes));
  EXPECT_EQ(run(names_.open(kTree, target_)).value().content->bytes.size(),
            ObjectWriter::kSmallBytes);
  EXPECT_NE(names_.content_of(upload_).value, 0);
  EXPECT_EQ(garbage(), 1U);
}

TEST_F(ObjectAdoptTest, WhatIsNotPublishedStaysInTheSpool) {
  receive(0, kSegment + 1000);
  const File file = open(kSegment + 1000);
  auto writer = adopted(file);
  EXPECT_EQ(publish(writer, 1).error().code, ErrorCode::over_quota);
  writer.reset();
  EXPECT_EQ(names_.content_of(upload_).value, 0);
  EXPECT_EQ(garbage(), 0U);
  EXPECT_TRUE(has_content(open(kSegment + 1000), kSegment + 1000));
}

TEST_F(ObjectAdoptTest, ARequestThatLostItsTurnPublishesNothing) {
  receive(0, kSegment + 1000);
  const File file = open(kSegment + 1000);
  auto writer = adopted(file);
  const File later = open(kSegment + 999);
  EXPECT_EQ(publish(writer).error().code, ErrorCode::conflict);
  EXPECT_FALSE(run(backend_.stat(target_)));
  writer.reset();
  ASSERT_TRUE(append(later, 1));
  ASSERT_TRUE(run(later->sync()));
  EXPECT_TRUE(has_content(later, kSegment + 1000));
}

TEST_F(ObjectAdoptTest, OnlyNotedFilesOfTheSameStoreAreAdopted) {
  receive(0, kSegment);
  const auto adopts = [&](const File& file, ObjectBackend& backend) {
    const auto writer = run(backend.create(target_, {})).value();
    return run(writer->adopt(*file)).value();
  };
  EXPECT_TRUE(adopts(open(kSegment), backend_));
  EXPECT_FALSE(adopts(open(kSegment - 1), backend_));
  const File changed = open(kSegment);
  ASSERT_TRUE(append(changed, 10));
  EXPECT_FALSE(adopts(changed, backend_));
  ASSERT_TRUE(run(changed->sync()));
  EXPECT_TRUE(adopts(changed, backend_));
  ScriptedBlobs other_blobs;
  ObjectBackend other(names_, other_blobs, kTree);
  EXPECT_FALSE(adopts(changed, other));
}

}  // namespace
}  // namespace coffer::objects
