#include "core/folder_snapshots.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

class FolderSnapshotsTest : public testing::Test {
 protected:
  static FolderSnapshots::Snapshot of(std::size_t entries) {
    return std::make_shared<FolderSnapshot>(std::vector<storage::Entry>(entries), 0);
  }
  static SnapshotKey key(std::string_view folder, std::int64_t account = 1) {
    return {AccountId{account}, *Path::parse(folder), false};
  }
  static storage::FolderStamp stamp(std::uint64_t id) {
    storage::FolderStamp made;
    made.file_id = id;
    return made;
  }

  FolderSnapshots::Clock::time_point time_{};
  FolderSnapshots snapshots_{[this] { return time_; }};
};

TEST_F(FolderSnapshotsTest, KeepsOnesOfUnchangedFolders) {
  const auto made = of(1000);
  snapshots_.put(key("a"), stamp(1), made);
  EXPECT_EQ(snapshots_.find(key("a"), stamp(1)), made);
  EXPECT_EQ(snapshots_.find(key("a"), stamp(2)), nullptr);
  EXPECT_EQ(snapshots_.find(key("b"), stamp(1)), nullptr);
  EXPECT_EQ(snapshots_.find(key("a", 2), stamp(1)), nullptr);
  SnapshotKey without_mounts = key("a");
  without_mounts.leaves_out_mounts = true;
  EXPECT_EQ(snapshots_.find(without_mounts, stamp(1)), nullptr);
  const auto newer = of(1000);
  snapshots_.put(key("a"), stamp(2), newer);
  EXPECT_EQ(snapshots_.find(key("a"), stamp(1)), nullptr);
  EXPECT_EQ(snapshots_.find(key("a"), stamp(2)), newer);
}

TEST_F(FolderSnapshotsTest, KeepsNoneForLong) {
  snapshots_.put(key("a"), stamp(1), of(1000));
  time_ += 59s;
  EXPECT_NE(snapshots_.find(key("a"), stamp(1)), nullptr);
  time_ += 1s;
  EXPECT_EQ(snapshots_.find(key("a"), stamp(1)), nullptr);
}

TEST_F(FolderSnapshotsTest, KeepsThoseUsedLastWithinABound) {
  snapshots_.put(key("small"), stamp(1), of(499));
  EXPECT_EQ(snapshots_.find(key("small"), stamp(1)), nullptr);
  snapshots_.put(key("huge"), stamp(1), of(300'001));
  EXPECT_EQ(snapshots_.find(key("huge"), stamp(1)), nullptr);
  for (const std::string_view name : {"a", "b", "c"})
    snapshots_.put(key(name), stamp(1), of(99'000));
  EXPECT_NE(snapshots_.find(key("a"), stamp(1)), nullptr);
  snapshots_.put(key("d"), stamp(1), of(99'000));
  EXPECT_EQ(snapshots_.find(key("b"), stamp(1)), nullptr);
  for (const std::string_view name : {"a", "c", "d"}) {
    EXPECT_NE(snapshots_.find(key(name), stamp(1)), nullptr);
  }
  snapshots_.put(key("whole"), stamp(1), of(300'000));
  EXPECT_EQ(snapshots_.find(key("a"), stamp(1)), nullptr);
  EXPECT_NE(snapshots_.find(key("whole"), stamp(1)), nullptr);
}

}  // namespace
}  // namespace coffer::core
