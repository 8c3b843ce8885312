#include <chrono>

#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;
using storage::TreeSize;

TEST_P(BackendConformance, CopiesAFile) {
  write("a", "content");
  make_folder("folder");
  const Path from = path_of("a");
  const Path to = path_of("folder/b");
  EXPECT_EQ(run(backend().copy(from, to, 7)), (TreeSize{7, 1, 0}));
  EXPECT_EQ(read("folder/b"), "content");
  write("a", "changed");
  EXPECT_EQ(read("folder/b"), "content");
}

TEST_P(BackendConformance, CopiesATree) {
  make_folder("a/b/c");
  make_folder("a/empty");
  write("a/1", "1");
  write("a/b/c/large", std::string(200'000, 'x'));
  const Path from = path_of("a");
  const Path to = path_of("copy");
  EXPECT_EQ(run(backend().copy(from, to, UINT64_MAX)), (TreeSize{200'001, 2, 4}));
  EXPECT_EQ(names(), "a/ copy/");
  EXPECT_EQ(names("copy"), "1 b/ empty/");
  EXPECT_EQ(read("copy/b/c/large").size(), 200'000U);
  EXPECT_EQ(read("a/1"), "1");
}

TEST_P(BackendConformance, CopyKeepsModificationTimes) {
  if (!GetParam().keeps_modified_at) return;
  make_folder("a");
  const Path file = path_of("a/file");
  const Timestamp time = Timestamp(1'000'000'000s);
  ASSERT_TRUE(upload(backend(), file, "x", {.modified_at = time}));
  const Path from = path_of("a");
  const Path to = path_of("b");
  ASSERT_TRUE(run(backend().copy(from, to, UINT64_MAX)));
  const Path copied = path_of("b/file");
  EXPECT_EQ(run(backend().stat(copied))->modified_at, time);
  EXPECT_EQ(run(backend().stat(to))->modified_at, run(backend().stat(from))->modified_at);
}

TEST_P(BackendConformance, CopyStopsAtTheLimitAndLeavesNothing) {
  make_folder("a");
  write("a/1", "12345");
  write("a/2", "12345");
  const Path from = path_of("a");
  const Path file = path_of("a/1");
  const Path to = path_of("b");
  EXPECT_EQ(code_of(run(backend().copy(from, to, 9))), ErrorCode::over_quota);
  EXPECT_EQ(code_of(run(backend().copy(file, to, 4))), ErrorCode::over_quota);
  EXPECT_EQ(names(), "a/");
  EXPECT_TRUE(run(backend().copy(from, to, 10)));
}

TEST_P(BackendConformance, DoesNotCopyOntoAnother) {
  write("a", "1");
  write("b", "2");
  make_folder("folder");
  const Path a = path_of("a");
  const Path b = path_of("b");
  const Path folder = path_of("folder");
  EXPECT_EQ(code_of(run(backend().copy(a, b, UINT64_MAX))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().copy(a, folder, UINT64_MAX))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().copy(folder, b, UINT64_MAX))), ErrorCode::exists);
  EXPECT_EQ(read("b"), "2");
}

TEST_P(BackendConformance, CopiesOnlyWhatIsThereToWhereItCanBe) {
  write("a", "1");
  const Path a = path_of("a");
  const Path none = path_of("none");
  const Path b = path_of("b");
  const Path into_none = path_of("none/a");
  EXPECT_EQ(code_of(run(backend().copy(none, b, UINT64_MAX))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().copy(a, into_none, UINT64_MAX))), ErrorCode::not_found);
  EXPECT_EQ(names(), "a");
}

}  // namespace
}  // namespace coffer::conformance
