#include "core/transfer/transfer_check.h"

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
const TreeFingerprint::Key kKey = TreeFingerprint::new_key();

TreeFingerprint mark_of(const Path& path, const storage::Entry& entry) {
  TreeFingerprint fingerprint(kKey);
  fingerprint.add(path, entry);
  return fingerprint;
}

TEST(TreeFingerprint, DoesNotDependOnTheOrder) {
  const Path other = Path::parse("c").value();
  TreeFingerprint first = mark_of(kPath, file(1));
  first.add(other, file(2));
  TreeFingerprint second = mark_of(other, file(2));
  second.add(kPath, file(1));
  EXPECT_EQ(first, second);
}

TEST(TreeFingerprint, TakesBackWhatWasAdded) {
  TreeFingerprint fingerprint = mark_of(kPath, file(1));
  fingerprint.remove(kPath, file(1));
  EXPECT_EQ(fingerprint, TreeFingerprint(kKey));
}

TEST(TreeFingerprint, SeesEveryKindOfChange) {
  const TreeFingerprint fingerprint = mark_of(kPath, file(1));
  auto changed = file(1);
  EXPECT_EQ(fingerprint, mark_of(kPath, changed));
  changed.modified_at += 1ns;
  EXPECT_NE(fingerprint, mark_of(kPath, changed));
  changed = file(1);
  changed.file_id = 8;
  EXPECT_NE(fingerprint, mark_of(kPath, changed));
  changed = file(1);
  changed.is_directory = true;
  EXPECT_NE(fingerprint, mark_of(kPath, changed));
  EXPECT_NE(fingerprint, mark_of(kPath, file(2)));
  EXPECT_NE(fingerprint, mark_of(Path::parse("a/c").value(), file(1)));
  EXPECT_NE(fingerprint, TreeFingerprint(kKey));
}

TEST(TreeFingerprint, DoesNotCountAFoldersTime) {
  storage::Entry folder;
  folder.is_directory = true;
  const TreeFingerprint fingerprint = mark_of(kPath, folder);
  folder.modified_at += 1s;
  EXPECT_EQ(fingerprint, mark_of(kPath, folder));
}

}  // namespace
}  // namespace coffer::core
