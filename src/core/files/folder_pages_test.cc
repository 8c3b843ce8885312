#include "core/files/folder_pages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "core/files/listing.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

const NameOrder& kRoot = NameOrder::of("");

class FolderSnapshotsTest : public testing::Test {
 protected:
  static FolderSnapshots::Snapshot of(std::size_t entries) {
    return std::make_shared<FolderSnapshot>(std::vector<storage::Entry>(entries), 0, kRoot);
  }
  static SnapshotKey key(std::string_view folder, std::int64_t account = 1) {
    return {AccountId{account}, *Path::parse(folder), false, &kRoot};
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
  SnapshotKey in_swedish = key("a");
  in_swedish.names = &NameOrder::of("sv");
  EXPECT_EQ(snapshots_.find(in_swedish, stamp(1)), nullptr);
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
  snapshots_.put(key("huge"), stamp(1), of(150'001));
  EXPECT_EQ(snapshots_.find(key("huge"), stamp(1)), nullptr);
  for (const std::string_view name : {"a", "b", "c"})
    snapshots_.put(key(name), stamp(1), of(49'000));
  EXPECT_NE(snapshots_.find(key("a"), stamp(1)), nullptr);
  snapshots_.put(key("d"), stamp(1), of(49'000));
  EXPECT_EQ(snapshots_.find(key("b"), stamp(1)), nullptr);
  for (const std::string_view name : {"a", "c", "d"}) {
    EXPECT_NE(snapshots_.find(key(name), stamp(1)), nullptr);
  }
  snapshots_.put(key("whole"), stamp(1), of(150'000));
  EXPECT_EQ(snapshots_.find(key("a"), stamp(1)), nullptr);
  EXPECT_NE(snapshots_.find(key("whole"), stamp(1)), nullptr);
}

storage::Entry entry(std::string name, bool is_directory, std::uint64_t size, int modified) {
  storage::Entry made;
  made.name = std::move(name);
  made.is_directory = is_directory;
  made.size_bytes = size;
  made.modified_at = timestamp_of(modified);
  return made;
}

/// All pages of that many items, names in a row, with a bar between two pages.
std::string walk(std::vector<storage::Entry> entries, PageOrder order, std::size_t limit,
                 std::string_view language = "") {
  const NameOrder& in_order = NameOrder::of(language);
  const std::size_t folders = sort_for_listing(entries, in_order);
  const FolderSnapshot snapshot(std::move(entries), folders, in_order);
  const PageMaker maker(snapshot, {}, false);
  std::string names;
  PageRequest request{order, &in_order, limit, std::nullopt};
  for (;;) {
    FolderPage page = maker.make(request);
    for (const ListedItem& item : page.items) names += item.entry.name + ' ';
    if (!page.next) return names;
    names += "| ";
    request.after = page.next;
  }
}

std::vector<storage::Entry> some() {
  return {entry("b", false, 1, -5), entry("a", false, 3, 7), entry("C", false, 1, 7),
          entry("dir", true, 0, 9)};
}

TEST(PageMaker, FollowsEachOrder) {
  EXPECT_EQ(walk(some(), {SortKey::name, false}, 9), "dir a b C ");
  EXPECT_EQ(walk(some(), {SortKey::name, true}, 9), "dir C b a ");
  EXPECT_EQ(walk(some(), {SortKey::size, false}, 9), "dir b C a ");
  EXPECT_EQ(walk(some(), {SortKey::size, true}, 9), "dir a C b ");
  EXPECT_EQ(walk(some(), {SortKey::modified, false}, 9), "dir b a C ");
  EXPECT_EQ(walk(some(), {SortKey::modified, true}, 9), "dir C a b ");
}

TEST(PageMaker, GoesOnBehindThePageBefore) {
  EXPECT_EQ(walk(some(), {SortKey::name, false}, 1), "dir | a | b | C ");
  EXPECT_EQ(walk(some(), {SortKey::size, true}, 2), "dir a | C b ");
  EXPECT_EQ(walk(some(), {SortKey::modified, true}, 3), "dir C a | b ");
  EXPECT_EQ(walk(some(), {SortKey::name, false}, 4), "dir a b C ");
  EXPECT_EQ(walk({}, {SortKey::name, false}, 1), "");
}

TEST(PageMaker, FollowsTheOrderOfALanguage) {
  const std::vector<storage::Entry> names{entry("\u00E4pple", false, 1, 7),
                                          entry("zon", false, 1, 7), entry("apa", false, 1, 7)};
  for (const std::size_t limit : {1u, 9u}) {
    const std::string_view bar = limit == 1 ? "| " : "";
    for (const SortKey key : {SortKey::name, SortKey::size, SortKey::modified}) {
      EXPECT_EQ(walk(names, {key, false}, limit), fmt::format("apa {0}\u00E4pple {0}zon ", bar));
      EXPECT_EQ(walk(names, {key, false}, limit, "sv"),
                fmt::format("apa {0}zon {0}\u00E4pple ", bar));
      EXPECT_EQ(walk(names, {key, true}, limit, "sv"),
                fmt::format("\u00E4pple {0}zon {0}apa ", bar));
    }
  }
}

TEST(PageMaker, MountsFollowTheOrderOfALanguage) {
  const NameOrder& swedish = NameOrder::of("sv");
  const FolderSnapshot snapshot({}, 0, swedish);
  std::vector<Mount> mounts(2);
  mounts[0].name = "\u00E4pple";
  mounts[1].name = "zon";
  const PageMaker maker(snapshot, std::move(mounts), false);
  PageRequest request{{SortKey::name, false}, &swedish, 1, std::nullopt};
  const FolderPage first = maker.make(request);
  EXPECT_EQ(first.items.front().entry.name, "zon");
  request.after = first.next;
  EXPECT_EQ(maker.make(request).items.front().entry.name, "\u00E4pple");
}

TEST(PageMaker, APageEndsWhereItIsLarge) {
  std::vector<storage::Entry> entries(1'000);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].name = std::string(250, 'x') + std::to_string(i);
  }
  const std::size_t folders = sort_for_listing(entries, kRoot);
  const FolderSnapshot snapshot(std::move(entries), folders, kRoot);
  const PageMaker maker(snapshot, {}, false);
  PageRequest request{{SortKey::name, false}, &kRoot, 10'000, std::nullopt, 4'000};
  std::size_t pages = 0;
  std::size_t items = 0;
  do {
    FolderPage page = maker.make(request);
    items += page.items.size();
    ++pages;
    request.after = page.next;
  } while (request.after);
  EXPECT_EQ(pages, 3u);
  EXPECT_EQ(items, 1'000u);
  request.path_bytes = 10'000'000;
  EXPECT_EQ(maker.make(request).items.size(), 1u);
}

TEST(PageMaker, GoesOnWhereTheItemBeforeIsGone) {
  auto entries = some();
  const std::size_t folders = sort_for_listing(entries, kRoot);
  const FolderSnapshot snapshot(std::move(entries), folders, kRoot);
  const PageMaker maker(snapshot, {}, false);
  PageRequest request{{SortKey::name, false}, &kRoot, 9, PagePosition{ItemKind::file, 0, "aa"}};
  EXPECT_EQ(maker.make(request).items.front().entry.name, "b");
  request.order.descending = true;
  EXPECT_EQ(maker.make(request).items.front().entry.name, "a");
  request = {{SortKey::size, true}, &kRoot, 9, PagePosition{ItemKind::file, 2, "x"}};
  EXPECT_EQ(maker.make(request).items.front().entry.name, "C");
}

}  // namespace

}  // namespace coffer::core
