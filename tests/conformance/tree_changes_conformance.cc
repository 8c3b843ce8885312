#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

using storage::TreeSize;

TEST_P(BackendConformance, MakesAFolderAndItsParents) {
  make_folder("a/b/c");
  EXPECT_EQ(names(), "a/");
  EXPECT_EQ(names("a/b"), "c/");
  make_folder("a/b/d");
  EXPECT_EQ(names("a/b"), "c/ d/");
}

TEST_P(BackendConformance, DoesNotMakeAFolderWhereSomethingIs) {
  make_folder("folder");
  write("file", "x");
  const Path folder = path_of("folder");
  const Path file = path_of("file");
  const Path root;
  EXPECT_EQ(code_of(run(backend().make_folder(folder))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().make_folder(file))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().make_folder(root))), ErrorCode::exists);
  EXPECT_EQ(read("file"), "x");
}

TEST_P(BackendConformance, DoesNotMakeAFolderInAFile) {
  write("file", "x");
  const Path direct = path_of("file/a");
  const Path below = path_of("file/a/b");
  EXPECT_EQ(code_of(run(backend().make_folder(direct))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend().make_folder(below))), ErrorCode::invalid);
  EXPECT_EQ(names(), "file");
}

TEST_P(BackendConformance, RenamesAFile) {
  write("old", "content");
  const Path from = path_of("old");
  const Path to = path_of("new");
  ASSERT_TRUE(run(backend().rename(from, to)));
  EXPECT_EQ(names(), "new");
  EXPECT_EQ(read("new"), "content");
}

TEST_P(BackendConformance, MovesATree) {
  make_folder("a/b");
  make_folder("target");
  write("a/b/file", "content");
  const Path from = path_of("a");
  const Path to = path_of("target/moved");
  ASSERT_TRUE(run(backend().rename(from, to)));
  EXPECT_EQ(names(), "target/");
  EXPECT_EQ(read("target/moved/b/file"), "content");
}

TEST_P(BackendConformance, ChangesTheCaseOfAName) {
  write("Name", "x");
  const Path from = path_of("Name");
  const Path to = path_of("NAME");
  ASSERT_TRUE(run(backend().rename(from, to)));
  EXPECT_EQ(names(), "NAME");
}

TEST_P(BackendConformance, DoesNotRenameOntoAnother) {
  write("a", "1");
  write("b", "2");
  make_folder("empty");
  make_folder("other");
  const Path a = path_of("a");
  const Path b = path_of("b");
  const Path empty = path_of("empty");
  const Path other = path_of("other");
  EXPECT_EQ(code_of(run(backend().rename(a, b))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().rename(a, empty))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().rename(empty, b))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().rename(empty, other))), ErrorCode::exists);
  EXPECT_EQ(names(), "a b empty/ other/");
  EXPECT_EQ(read("a") + read("b"), "12");
}

TEST_P(BackendConformance, RenamesOnlyWhatIsThereToWhereItCanBe) {
  write("a", "1");
  const Path a = path_of("a");
  const Path none = path_of("none");
  const Path into_none = path_of("none/a");
  EXPECT_EQ(code_of(run(backend().rename(none, a))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().rename(a, into_none))), ErrorCode::not_found);
  EXPECT_EQ(names(), "a");
}

TEST_P(BackendConformance, TellsByARenameToItsOwnNameWhetherThatIsTaken) {
  write("a", "1");
  make_folder("b/c");
  const Path file = path_of("a");
  const Path folder = path_of("b");
  const Path none = path_of("none");
  const Path in_none = path_of("none/a");
  EXPECT_TRUE(run(backend().rename(file, file)));
  EXPECT_TRUE(run(backend().rename(folder, folder)));
  EXPECT_EQ(code_of(run(backend().rename(none, none))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().rename(in_none, in_none))), ErrorCode::not_found);
  EXPECT_EQ(names() + ' ' + names("b") + ' ' + read("a"), "a b/ c/ 1");
}

TEST_P(BackendConformance, DoesNotMoveAFolderIntoItself) {
  make_folder("a/b");
  const Path from = path_of("a");
  const Path direct = path_of("a/a");
  const Path deep = path_of("a/b/a");
  EXPECT_EQ(code_of(run(backend().rename(from, direct))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend().rename(from, deep))), ErrorCode::invalid);
  EXPECT_EQ(names("a"), "b/");
}

TEST_P(BackendConformance, RemovesAFileAndTellsItsSize) {
  write("a", "12345");
  write("b", "");
  const Path path = path_of("a");
  EXPECT_EQ(run(backend().remove(path)), (TreeSize{5, 1, 0}));
  EXPECT_EQ(names(), "b");
  EXPECT_EQ(code_of(run(backend().remove(path))), ErrorCode::not_found);
}

TEST_P(BackendConformance, RemovesATreeAndTellsItsSize) {
  make_folder("a/b/c");
  make_folder("a/empty");
  write("a/1", "1");
  write("a/b/2", "22");
  write("a/b/c/3", "333");
  write("kept", "x");
  const Path path = path_of("a");
  EXPECT_EQ(run(backend().remove(path)), (TreeSize{6, 3, 4}));
  EXPECT_EQ(names(), "kept");
  make_folder("a");
  EXPECT_EQ(names("a"), "");
}

}  // namespace
}  // namespace coffer::conformance
