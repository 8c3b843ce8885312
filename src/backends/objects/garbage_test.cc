#include "backends/objects/garbage.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "async/run.h"
#include "backends/objects/object_backend.h"
#include "backends/objects/testing/memory_names.h"
#include "backends/objects/testing/scripted_blobs.h"

namespace coffer::objects {
namespace {

class GarbageTest : public testing::Test {
 protected:
  void write(const std::string& path, std::size_t bytes) {
    const std::string text(bytes, 'x');
    auto writer = run(backend_.create(Path::parse(path).value(), {})).value();
    ASSERT_TRUE(run(writer->write(std::as_bytes(std::span(text)))));
    ASSERT_TRUE(run(backend_.publish(std::span(&writer, 1), UINT64_MAX)));
  }
  Result<std::size_t> remove_garbage() {
    return run(objects::remove_garbage(names_, blobs_, std::chrono::seconds(0)));
  }

  MemoryNames names_;
  ScriptedBlobs blobs_;
  ObjectBackend backend_{names_, blobs_, {1}};
};

TEST_F(GarbageTest, RemovesTheObjectsOfRemovedAndReplacedFiles) {
  write("kept", 10'000);
  write("removed", 10'000);
  write("replaced", 10'000);
  write("replaced", 20'000);
  ASSERT_TRUE(run(backend_.remove(Path::parse("removed").value())));
  EXPECT_EQ(blobs_.stored.count(), 4U);
  EXPECT_EQ(remove_garbage(), 2U);
  EXPECT_EQ(blobs_.stored.count(), 2U);
  EXPECT_EQ(remove_garbage(), 0U);
}

TEST_F(GarbageTest, TriesAgainWhatTheStoreDidNotRemove) {
  write("removed", 10'000);
  ASSERT_TRUE(run(backend_.remove(Path::parse("removed").value())));
  blobs_.fail_with(ErrorCode::unready);
  const auto failed = remove_garbage();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::unready);
  blobs_.work_again();
  EXPECT_EQ(remove_garbage(), 1U);
  EXPECT_EQ(blobs_.stored.count(), 0U);
}

TEST_F(GarbageTest, WhatTheStoreRefusesToRemoveHoldsUpNothing) {
  write("locked", 10'000);
  const ObjectId locked = blobs_.stored.ids().at(0);
  blobs_.stored.lock(locked);
  write("first", 10'000);
  write("second", 10'000);
  for (const char* name : {"locked", "first", "second"}) {
    ASSERT_TRUE(run(backend_.remove(Path::parse(name).value())));
  }
  EXPECT_EQ(remove_garbage(), 2U);
  EXPECT_EQ(blobs_.stored.ids(), std::vector{locked});
  write("third", 10'000);
  ASSERT_TRUE(run(backend_.remove(Path::parse("third").value())));
  EXPECT_EQ(remove_garbage(), 1U);
  EXPECT_EQ(blobs_.stored.ids(), std::vector{locked});
}

TEST_F(GarbageTest, RemovesObjectsThoughOthersCannotBeReleased) {
  write("removed", 10'000);
  ASSERT_TRUE(run(backend_.remove(Path::parse("removed").value())));
  names_.fail_releases();
  const auto failed = remove_garbage();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "The names cannot be taken apart.");
  EXPECT_EQ(blobs_.stored.count(), 0U);
}

}  // namespace
}  // namespace coffer::objects
