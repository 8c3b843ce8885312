#include "conformance/conformance.h"
#include "storage/partial_name.h"

namespace coffer::conformance {
namespace {

TEST_P(BackendConformance, WhoKnowsAPartialNameReachesIt) {
  const std::string partial = storage::partial_name();
  const Path staging = path_of(partial);
  ASSERT_TRUE(run(backend().make_folder(staging)));
  make_folder(partial + "/sub");
  write(partial + "/sub/file", "content");
  EXPECT_EQ(names(partial), "sub/");
  EXPECT_EQ(names(partial + "/sub"), "file");
  const Path file = path_of(partial + "/sub/file");
  const auto entry = run(backend().stat(file));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->size_bytes, 7U);
  EXPECT_TRUE(run(backend().stat(staging)));
  const Path name = path_of("tree");
  ASSERT_TRUE(run(backend().rename(staging, name)));
  EXPECT_EQ(names(), "tree/");
  EXPECT_EQ(read("tree/sub/file"), "content");
  EXPECT_EQ(code_of(run(backend().stat(staging))), ErrorCode::not_found);
}

TEST_P(BackendConformance, WhoKnowsAPartialNameRemovesIt) {
  const std::string partial = storage::partial_name();
  const Path staging = path_of(partial);
  make_folder(partial + "/sub");
  write(partial + "/sub/file", "content");
  EXPECT_TRUE(run(backend().remove(staging)));
  EXPECT_EQ(code_of(run(backend().stat(staging))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().remove(staging))), ErrorCode::not_found);
}

}  // namespace
}  // namespace coffer::conformance
