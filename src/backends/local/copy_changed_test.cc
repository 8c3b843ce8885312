#include <functional>

#include "backends/local/testing/local_fixture.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

/// Does something to the source when some items stand in the copy.
class Meanwhile final : public storage::CopyWatch {
 public:
  Meanwhile(int after, std::function<void()> change) : left_(after), change_(std::move(change)) {}
  void completed_item() override {
    if (left_-- == 0) change_();
  }

 private:
  int left_;
  std::function<void()> change_;
};

class CopyChanged : public LocalFixture {
 protected:
  static constexpr int kFiles = 10;
  static constexpr int kItems = 2 * (kFiles + 1);

  CopyChanged() { plant(); }

  void plant() {
    fs::create_directories(root() / "tree/sub");
    for (const std::string folder : {"tree", "tree/sub"}) {
      for (int i = 0; i < kFiles; ++i) put(folder + '/' + std::to_string(i), "content");
    }
  }

  Result<storage::TreeSize> copy_while(int after, std::function<void()> change) {
    Meanwhile watch(after, std::move(change));
    const Path from = path_of("tree");
    const Path to = path_of("copy");
    return run(backend().copy(from, to, {.watch = watch}));
  }

  void expect_refused(const Result<storage::TreeSize>& copied) {
    EXPECT_EQ(code_of(copied), ErrorCode::conflict);
    EXPECT_FALSE(fs::exists(root() / "copy"));
    wait_reclaimed();
    EXPECT_EQ(staged_items(), 0U);
  }
};

TEST_F(CopyChanged, ADeletedFolderIsNotCopiedInPart) {
  for (int after = 0; after < kItems; ++after) {
    expect_refused(copy_while(after, [this] { fs::remove_all(root() / "tree"); }));
    plant();
  }
}

TEST_F(CopyChanged, NorOneThatTheBackendDeletes) {
  const Path tree = path_of("tree");
  expect_refused(copy_while(3, [&] {
    EXPECT_TRUE(run(backend().remove(tree)));
    wait_reclaimed();
  }));
}

TEST_F(CopyChanged, ADeletedSubfolderIsNotCopiedInPart) {
  // From the first file on: before, nothing was listed.
  for (int after = 1; after < kItems; ++after) {
    const auto copied = copy_while(after, [this] { fs::remove_all(root() / "tree/sub"); });
    if (copied) {
      EXPECT_EQ(copied->files, 2U * kFiles) << after;
      fs::remove_all(root() / "copy");
    } else {
      expect_refused(copied);
    }
    plant();
  }
}

TEST_F(CopyChanged, FilesThatVanishAreLeftOut) {
  const auto copied = copy_while(0, [this] {
    for (int i = 0; i < kFiles; ++i) fs::remove(root() / "tree" / std::to_string(i));
  });
  ASSERT_TRUE(copied);
  EXPECT_TRUE(fs::is_directory(root() / "copy/sub"));
}

}  // namespace
}  // namespace coffer::local
