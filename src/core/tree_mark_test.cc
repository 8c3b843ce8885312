#include "core/tree_mark.h"

#include <gtest/gtest.h>

#include <chrono>

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

storage::Entry file(std::uint64_t size_bytes) {
  storage::Entry entry;
  entry.size_bytes = size_bytes;
  entry.modified_at = Timestamp(1s);
  entry.file_id = 7;
  return entry;
}

const Path kPath = Path::parse("a/b").value();
const TreeMark::Key kKey = TreeMark::new_key();

TreeMark mark_of(const Path& path, const storage::Entry& entry) {
  TreeMark mark(kKey);
  mark.add(path, entry);
  return mark;
}

TEST(TreeMark, DoesNotDependOnTheOrder) {
  const Path other = Path::parse("c").value();
  TreeMark first = mark_of(kPath, file(1));
  first.add(other, file(2));
  TreeMark second = mark_of(other, file(2));
  second.add(kPath, file(1));
  EXPECT_EQ(first, second);
}

TEST(TreeMark, TakesBackWhatWasAdded) {
  TreeMark mark = mark_of(kPath, file(1));
  mark.remove(kPath, file(1));
  EXPECT_EQ(mark, TreeMark(kKey));
}

TEST(TreeMark, SeesEveryKindOfChange) {
  const TreeMark mark = mark_of(kPath, file(1));
  auto changed = file(1);
  EXPECT_EQ(mark, mark_of(kPath, changed));
  changed.modified_at += 1ns;
  EXPECT_NE(mark, mark_of(kPath, changed));
  changed = file(1);
  changed.file_id = 8;
  EXPECT_NE(mark, mark_of(kPath, changed));
  changed = file(1);
  changed.is_directory = true;
  EXPECT_NE(mark, mark_of(kPath, changed));
  EXPECT_NE(mark, mark_of(kPath, file(2)));
  EXPECT_NE(mark, mark_of(Path::parse("a/c").value(), file(1)));
  EXPECT_NE(mark, TreeMark(kKey));
}

TEST(TreeMark, DoesNotCountAFoldersTime) {
  storage::Entry folder;
  folder.is_directory = true;
  const TreeMark mark = mark_of(kPath, folder);
  folder.modified_at += 1s;
  EXPECT_EQ(mark, mark_of(kPath, folder));
}

}  // namespace
}  // namespace coffer::core
