#include "backends/objects/testing/memory_blobs.h"

#include <gtest/gtest.h>
#include <sodium.h>

#include <stdexcept>
#include <string>

#include "async/run.h"
#include "base/random.h"

namespace coffer::objects {
namespace {

using Moment = MemoryBlobs::Moment;

ObjectId new_id() {
  return {random_hex(16)};
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Result<void> put(MemoryBlobs& blobs, const ObjectId& id, const std::string& text) {
  Sha256 hash;
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(hash.data()),
                     reinterpret_cast<const unsigned char*>(text.data()), text.size());
  return run(blobs.put(id, bytes_of(text), hash));
}

/// What is read, or the word of the error.
std::string read(MemoryBlobs& blobs, const ObjectId& id, std::uint64_t offset, std::size_t size) {
  std::string out(size, '\0');
  const auto read = run(blobs.read(id, offset, std::as_writable_bytes(std::span(out))));
  return read ? out : std::string(to_string(read.error().code));
}

TEST(MemoryBlobs, KeepsWhatIsPutUntilItIsRemoved) {
  MemoryBlobs blobs;
  const ObjectId id = new_id();
  ASSERT_TRUE(put(blobs, id, "contents"));
  EXPECT_EQ(read(blobs, id, 0, 8), "contents");
  EXPECT_EQ(read(blobs, id, 3, 4), "tent");
  EXPECT_EQ(read(blobs, id, 3, 6), "failed");
  EXPECT_EQ(read(blobs, id, 9, 1), "failed");
  EXPECT_EQ(read(blobs, new_id(), 0, 1), "failed");
  EXPECT_EQ(blobs.ids(), std::vector{id});
  const std::vector ids{id, new_id()};
  ASSERT_TRUE(run(blobs.remove(ids)));
  EXPECT_EQ(blobs.count(), 0U);
}

TEST(MemoryBlobs, HoldsCallersToThePort) {
  MemoryBlobs blobs;
  const ObjectId id = new_id();
  EXPECT_EQ(run(blobs.put(id, bytes_of("a"), {})).error().code, ErrorCode::failed);
  ASSERT_TRUE(put(blobs, id, "a"));
  ASSERT_TRUE(run(blobs.remove(std::span(&id, 1))));
  EXPECT_THROW(static_cast<void>(put(blobs, id, "a")), std::logic_error);
  EXPECT_THROW(static_cast<void>(put(blobs, new_id(), std::string(8 * 1024 * 1024 + 1, 'a'))),
               std::logic_error);
  EXPECT_THROW(static_cast<void>(run(blobs.remove(std::vector(1001, id)))), std::logic_error);
}

TEST(MemoryBlobs, FailsAsItIsTold) {
  MemoryBlobs blobs;
  const ObjectId before = new_id();
  const ObjectId after = new_id();
  const ObjectId other = new_id();
  blobs.fail_put(2, Moment::before_effect);
  ASSERT_TRUE(put(blobs, other, "other"));
  EXPECT_EQ(put(blobs, before, "a").error().code, ErrorCode::unready);
  EXPECT_FALSE(blobs.contains(before));
  blobs.fail_put(1, Moment::after_effect);
  EXPECT_GT(put(blobs, after, "a").error().retry_after.count(), 0);
  EXPECT_TRUE(blobs.contains(after));
  ASSERT_TRUE(put(blobs, new_id(), "a"));
  EXPECT_EQ(blobs.puts(), 4U);

  blobs.fail_read(1);
  EXPECT_EQ(read(blobs, other, 0, 5), "unready");
  EXPECT_EQ(read(blobs, other, 0, 5), "other");
  blobs.fail_removal(1, Moment::after_effect);
  EXPECT_FALSE(run(blobs.remove(std::span(&after, 1))));
  EXPECT_FALSE(blobs.contains(after));
}

TEST(MemoryBlobs, LosesAndShortensObjects) {
  MemoryBlobs blobs;
  const ObjectId id = new_id();
  ASSERT_TRUE(put(blobs, id, "contents"));
  blobs.shorten(id, 3);
  EXPECT_EQ(read(blobs, id, 0, 8), "failed");
  EXPECT_EQ(read(blobs, id, 0, 3), "con");
  blobs.set_away(true);
  EXPECT_EQ(read(blobs, id, 0, 3), "unready");
  blobs.set_away(false);
  blobs.lose(id);
  EXPECT_EQ(read(blobs, id, 0, 3), "failed");
  EXPECT_THROW(blobs.lose(id), std::logic_error);
}

}  // namespace
}  // namespace coffer::objects
