#include "core/transfer/transfer_check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "async/run.h"
#include "storage/testing/memory_backend.h"

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

/// A folder with a file, which a move copied and was then cut off.
class IsCopied : public testing::Test {
 protected:
  IsCopied() {
    make(from_, "item/sub");
    make(to_, "item/sub");
    put(from_, "item/sub/a", "content");
    put(to_, "item/sub/a", "content");
    const Path top = Path::parse("item").value();
    copied_.top = run(from_.stat(top)).value();
    for (const auto* name : {"sub", "sub/a"}) {
      const Path path = Path::parse(name).value();
      copied_.tree.add(path, run(from_.stat(top / path)).value());
    }
  }
  static void make(storage::Backend& backend, std::string_view folder) {
    EXPECT_TRUE(run(backend.make_folder(Path::parse(folder).value())));
  }
  static void put(storage::Backend& backend, std::string_view name, std::string_view content,
                  Timestamp modified_at = Timestamp(1'000'000s)) {
    const Path path = Path::parse(name).value();
    storage::WriteOptions options;
    options.modified_at = modified_at;
    auto writer = run(backend.create(path, options)).value();
    EXPECT_TRUE(run(writer->write(std::as_bytes(std::span(content)))));
    EXPECT_TRUE(run(backend.publish({&writer, 1}, UINT64_MAX)));
  }
  void remove(storage::Backend& backend, std::string_view name) {
    EXPECT_TRUE(run(backend.remove(Path::parse(name).value())));
  }
  void note_copy() { copied_.copy = run(to_.stat(Path::parse("item").value()))->identity(); }
  bool is_copied(bool is_leaving = false) {
    const auto noted = CopiedSource::parse(copied_.text()).value();
    const Path item = Path::parse("item").value();
    TransferProgress progress;
    return run(core::is_copied({from_, item}, {to_, item}, noted, is_leaving, progress)).value();
  }

  storage::MemoryBackend from_;
  storage::MemoryBackend to_;
  CopiedSource copied_{{}, TreeFingerprint(kKey)};
};

TEST_F(IsCopied, IfAllOfItIsThere) {
  EXPECT_TRUE(is_copied());
}

TEST_F(IsCopied, NotIfSomethingIsMissingThere) {
  remove(to_, "item/sub/a");
  EXPECT_FALSE(is_copied());
  remove(to_, "item/sub");
  EXPECT_FALSE(is_copied());
  remove(to_, "item");
  EXPECT_FALSE(is_copied());
}

TEST_F(IsCopied, NotIfSomethingThereIsAnother) {
  remove(to_, "item/sub/a");
  put(to_, "item/sub/a", "longer content");
  EXPECT_FALSE(is_copied());
}

TEST_F(IsCopied, ButNotAFileOfTheSameNameAndSizeWithAnotherTime) {
  remove(to_, "item/sub/a");
  put(to_, "item/sub/a", "another", Timestamp(1'000'001s));
  EXPECT_FALSE(is_copied());
}

TEST_F(IsCopied, AlsoWhereTimesAreKeptInWholeSeconds) {
  remove(to_, "item/sub/a");
  put(to_, "item/sub/a", "content", Timestamp(1'000'000s + 300ms));
  EXPECT_TRUE(is_copied());
}

TEST_F(IsCopied, ByItsIdentityWhateverTheTimes) {
  note_copy();
  EXPECT_TRUE(is_copied());
  remove(to_, "item/sub/a");
  put(to_, "item/sub/a", "content", Timestamp(1'000'001s));
  EXPECT_TRUE(is_copied());
}

TEST_F(IsCopied, NotIfAnotherFolderHasItsName) {
  note_copy();
  remove(to_, "item");
  make(to_, "item/sub");
  put(to_, "item/sub/a", "content");
  EXPECT_FALSE(is_copied());
}

TEST_F(IsCopied, NotIfAnotherFileHasTheNameOfAFile) {
  for (storage::Backend* backend :
       {static_cast<storage::Backend*>(&from_), static_cast<storage::Backend*>(&to_)}) {
    remove(*backend, "item");
    put(*backend, "item", "content");
  }
  copied_.top = run(from_.stat(Path::parse("item").value())).value();
  EXPECT_TRUE(is_copied());
  note_copy();
  EXPECT_TRUE(is_copied());
  remove(to_, "item");
  put(to_, "item", "content");
  EXPECT_FALSE(is_copied());
}

TEST_F(IsCopied, NotIfSomethingCameToTheSource) {
  put(from_, "item/new", "x");
  put(to_, "item/new", "x");
  EXPECT_FALSE(is_copied());
}

TEST_F(IsCopied, WhatIsLeftOfASourceThatIsBeingDeleted) {
  remove(from_, "item/sub/a");
  EXPECT_FALSE(is_copied());
  EXPECT_TRUE(is_copied(true));
}

TEST(CopiedSource, IsNoOtherText) {
  for (const auto* text : {"", "file", "file x 1 2", "tree", "tree 00 1 2 3", "link 1 2 3"}) {
    EXPECT_FALSE(CopiedSource::parse(text)) << text;
  }
  const CopiedSource copied{
      file(5), TreeFingerprint(kKey), {.file_id = 9, .born_at = Timestamp(5s)}};
  const auto parsed = CopiedSource::parse(copied.text());
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(is_unchanged(copied.top, parsed->top));
  EXPECT_EQ(parsed->copy, copied.copy);
}

TEST(CopiedSource, OfAnEarlierVersionKnowsNoCopy) {
  const auto parsed = CopiedSource::parse("file 5 1000000000 7");
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(is_unchanged(parsed->top, file(5)));
  EXPECT_FALSE(parsed->copy.is_known());
}

}  // namespace
}  // namespace coffer::core
