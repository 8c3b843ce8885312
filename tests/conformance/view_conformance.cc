#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

TEST_P(BackendConformance, AViewShowsItsFolderAsTheRoot) {
  make_folder("home/docs");
  write("home/docs/a", "content");
  write("outside", "x");
  const auto view = backend().beneath(path_of("home"));
  const Path root;
  const auto entry = run(view->stat(root));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->name, "");
  EXPECT_EQ(run(view->list(root))->size(), 1U);
  EXPECT_EQ(download(*view, path_of("docs/a")), "content");
  EXPECT_EQ(code_of(download(*view, path_of("outside"))), ErrorCode::not_found);
  EXPECT_EQ(code_of(download(*view, path_of("home/docs/a"))), ErrorCode::not_found);
}

TEST_P(BackendConformance, AViewChangesTheSameTree) {
  make_folder("home");
  const auto view = backend().beneath(path_of("home"));
  const Path folder = path_of("new");
  const Path file = path_of("new/file");
  const Path copy = path_of("copy");
  const Path moved = path_of("moved");
  ASSERT_TRUE(run(view->make_folder(folder)));
  ASSERT_TRUE(upload(*view, file, "content"));
  ASSERT_TRUE(run(view->make_folder(copy)));
  ASSERT_TRUE(run(view->rename(folder, moved)));
  EXPECT_EQ(names("home"), "copy/ moved/");
  EXPECT_EQ(read("home/moved/file"), "content");
  ASSERT_TRUE(run(view->remove(copy)));
  EXPECT_EQ(names("home"), "moved/");
}

TEST_P(BackendConformance, AViewInAViewStartsFromThere) {
  make_folder("a/b");
  write("a/b/file", "deep");
  const auto outer = backend().beneath(path_of("a"));
  const auto inner = outer->beneath(path_of("b"));
  EXPECT_EQ(download(*inner, path_of("file")), "deep");
  const auto same = inner->beneath(Path());
  EXPECT_EQ(download(*same, path_of("file")), "deep");
}

TEST_P(BackendConformance, AViewOfNothingFindsNothing) {
  const auto view = backend().beneath(path_of("later"));
  const Path root;
  const Path file = path_of("file");
  EXPECT_EQ(code_of(run(view->stat(root))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(view->list(root))), ErrorCode::not_found);
  EXPECT_EQ(code_of(upload(*view, file, "x")), ErrorCode::not_found);
  EXPECT_EQ(view->stat_now(root), std::nullopt);
  make_folder("later");
  EXPECT_TRUE(upload(*view, file, "now"));
  EXPECT_EQ(read("later/file"), "now");
}

TEST_P(BackendConformance, AViewDoesNotChangeItsOwnRoot) {
  make_folder("home");
  const auto view = backend().beneath(path_of("home"));
  const Path root;
  const Path other = path_of("other");
  EXPECT_FALSE(run(view->remove(root)));
  EXPECT_FALSE(run(view->rename(root, other)));
  EXPECT_EQ(names(), "home/");
}

}  // namespace
}  // namespace coffer::conformance
