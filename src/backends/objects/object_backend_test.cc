#include "backends/objects/object_backend.h"

#include <gtest/gtest.h>

#include <string>

#include "async/run.h"
#include "backends/objects/testing/memory_blobs.h"
#include "backends/objects/testing/memory_names.h"

namespace coffer::objects {
namespace {

class ObjectBackendTest : public testing::Test {
 protected:
  static Path path(std::string_view text) { return Path::parse(text).value(); }
  template <class T>
  static std::optional<ErrorCode> code_of(const Result<T>& result) {
    return result ? std::nullopt : std::optional(result.error().code);
  }

  MemoryNames names_;
  MemoryBlobs blobs_;
  ObjectBackend backend_{names_, blobs_, {1}};
};

TEST_F(ObjectBackendTest, NamesHave255BytesAtMost) {
  const std::string longest(255, 'x');
  const std::string longer(256, 'x');
  ASSERT_TRUE(run(backend_.make_folder(path(longest + "/a"))));
  EXPECT_EQ(code_of(run(backend_.make_folder(path(longer)))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend_.make_folder(path("b/" + longer + "/c")))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend_.create(path(longer), {}))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend_.rename(path(longest), path(longer)))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend_.copy(path(longest), path(longer), {}))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend_.stat(path(longer)))), ErrorCode::not_found);
}

TEST_F(ObjectBackendTest, AViewMakesNoFolderWhereItsRootIsMissing) {
  const auto view = backend_.beneath(path("later"));
  EXPECT_EQ(code_of(run(view->make_folder(path("folder")))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend_.stat(path("later")))), ErrorCode::not_found);
}

}  // namespace
}  // namespace coffer::objects
