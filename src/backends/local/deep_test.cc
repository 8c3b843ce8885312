#include <algorithm>

#include "backends/local/testing/local_fixture.h"

namespace coffer::local {
namespace {

using storage::TreeSize;

class Deep : public LocalFixture {
 protected:
  /// 60 levels of names of 255 bytes: far above PATH_MAX.
  static std::string long_path(char letter) {
    std::string path;
    for (int level = 0; level < 60; ++level) path += std::string(255, letter) + '/';
    return path;
  }
};

TEST_F(Deep, PathsLongerThanTheKernelTakesWork) {
  const Path folder = path_of(long_path('a'));
  const Path file = path_of(long_path('a') + "file");
  const Path renamed = path_of(long_path('a') + "renamed");
  ASSERT_TRUE(run(backend().make_folder(folder)));
  ASSERT_TRUE(upload(backend(), file, "deep"));
  EXPECT_EQ(download(backend(), file), "deep");
  ASSERT_TRUE(run(backend().rename(file, renamed)));
  EXPECT_EQ(names(backend(), folder.str()), std::vector<std::string>{"renamed"});
  EXPECT_TRUE(backend().stat_now(renamed));
  const auto view = backend().beneath(folder);
  EXPECT_EQ(download(*view, path_of("renamed")), "deep");
}

TEST_F(Deep, TreesDeeperThanTheKernelTakesAreCopiedAndRemoved) {
  const Path folder = path_of(long_path('a'));
  const Path file = path_of(long_path('a') + "file");
  ASSERT_TRUE(run(backend().make_folder(folder)));
  ASSERT_TRUE(upload(backend(), file, "deep"));
  const Path top = path_of(std::string(255, 'a'));
  const Path copy = path_of("copy");
  const TreeSize size{4, 1, 60};
  EXPECT_EQ(run(backend().measure(top)), size);
  EXPECT_EQ(run(backend().copy(top, copy, {.limit_bytes = 4})), size);
  EXPECT_EQ(run(backend().remove(top)), size);
  EXPECT_EQ(run(backend().remove(copy)), size);
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

TEST_F(Deep, NamesThatAreTooLongAreNotThereAndCannotBeMade) {
  const std::string name(256, 'n');
  const Path direct = path_of(name);
  const Path inside = path_of("made/" + name);
  const Path huge = path_of(std::string(5000, 'n') + "/file");
  EXPECT_EQ(code_of(run(backend().stat(direct))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().stat(huge))), ErrorCode::not_found);
  EXPECT_EQ(code_of(upload(backend(), direct, "x")), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend().make_folder(direct))), ErrorCode::invalid);
  // What was made on the way is taken back.
  EXPECT_EQ(code_of(run(backend().make_folder(inside))), ErrorCode::invalid);
  EXPECT_EQ(names(backend()), std::vector<std::string>());
}

}  // namespace
}  // namespace coffer::local
