#include "core/page_maker.h"

#include <gtest/gtest.h>

#include <string>

#include "core/listing.h"

namespace coffer::core {
namespace {

storage::Entry entry(std::string name, bool is_directory, std::uint64_t size, int modified) {
  storage::Entry made;
  made.name = std::move(name);
  made.is_directory = is_directory;
  made.size_bytes = size;
  made.modified_at = timestamp_of(modified);
  return made;
}

/// All pages of that many items, names in a row, with a bar between two pages.
std::string walk(std::vector<storage::Entry> entries, PageOrder order, std::size_t limit) {
  const std::size_t folders = sort_for_listing(entries);
  const FolderSnapshot snapshot(std::move(entries), folders);
  const PageMaker maker(snapshot, {}, false);
  std::string names;
  PageRequest request{order, limit, std::nullopt};
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

TEST(PageMaker, GoesOnWhereTheItemBeforeIsGone) {
  auto entries = some();
  const std::size_t folders = sort_for_listing(entries);
  const FolderSnapshot snapshot(std::move(entries), folders);
  const PageMaker maker(snapshot, {}, false);
  PageRequest request{{SortKey::name, false}, 9, PagePosition{ItemKind::file, 0, "aa"}};
  EXPECT_EQ(maker.make(request).items.front().entry.name, "b");
  request.order.descending = true;
  EXPECT_EQ(maker.make(request).items.front().entry.name, "a");
  request = {{SortKey::size, true}, 9, PagePosition{ItemKind::file, 2, "x"}};
  EXPECT_EQ(maker.make(request).items.front().entry.name, "C");
}

}  // namespace
}  // namespace coffer::core
