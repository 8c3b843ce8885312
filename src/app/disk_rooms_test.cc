#include "app/disk_rooms.h"

#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include <atomic>
#include <chrono>
#include <latch>

#include "async/run.h"
#include "base/testing/scratch_folder.h"

namespace coffer::app {
namespace {

TEST(DiskRooms, ToldAsTheDiskHasThem) {
  const ScratchFolder folder;
  const std::string there = folder.path();
  Pool pool(2);
  DiskRooms rooms(pool);
  const std::string missing = there + "/missing";
  std::vector<std::string> paths{there, missing, there};
  const auto found = run(rooms.look(paths, std::chrono::minutes(10)));
  struct statvfs status{};
  ASSERT_EQ(::statvfs(there.c_str(), &status), 0);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].path, there);
  EXPECT_EQ(found[0].total_bytes, std::uint64_t{status.f_blocks} * status.f_frsize);
  EXPECT_LE(found[0].free_bytes, found[0].total_bytes);
  EXPECT_EQ(found[1].path, missing);
  EXPECT_EQ(found[1].total_bytes, std::nullopt);
  EXPECT_EQ(found[2].total_bytes, found[0].total_bytes);
}

TEST(DiskRooms, ADiskThatHangsIsUnknownAndAskedOnce) {
  std::latch answers(1);
  std::atomic<int> asked = 0;
  Pool pool(2);
  DiskRooms rooms(pool, [&](const std::string& path) {
    if (path == "hung") {
      ++asked;
      answers.wait();
    }
    return core::DiskRoom{path, false, 1, 2};
  });
  const std::vector<std::string> quick{"quick"};
  EXPECT_EQ(run(rooms.look(quick, std::chrono::minutes(10))).front().free_bytes, 1u);
  const std::vector<std::string> both{"hung", "quick"};
  for (int i = 0; i < 3; ++i) {
    const auto found = run(rooms.look(both, std::chrono::milliseconds(1)));
    EXPECT_EQ(found[0].free_bytes, std::nullopt);
    EXPECT_EQ(found[0].path, "hung");
    EXPECT_EQ(found[1].free_bytes, 1u);
  }
  answers.count_down();
  EXPECT_EQ(run(rooms.look(both, std::chrono::minutes(10)))[0].free_bytes, 1u);
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace coffer::app
