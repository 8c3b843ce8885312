#include <algorithm>

#include "core/testing/transfer_fixture.h"

namespace coffer::core {
namespace {

/// Folders whose names change while they are copied. What of them was copied before is a part, so
/// that the transfer must not say that it is done.
class TransferChangedTest : public TransferTest {
 protected:
  TransferChangedTest() {
    for (const std::string top : {"a", "other"}) {
      put_folder(source_, top + "/b/c");
      for (const std::string file : {"/1", "/2", "/b/1", "/b/2", "/b/c/1", "/b/c/2"}) {
        put(source_, top + file, top + file);
      }
    }
  }

  /// Does something once, before a call at a path.
  void before(const std::string& call, const std::string& path, std::function<void()> change) {
    from_.hooks.before = [=, is_done = false](std::string_view name, const Path& at) mutable {
      if (is_done || name != call || at.str() != path) return std::optional<Error>();
      is_done = true;
      change();
      return std::optional<Error>();
    };
  }

  void rename(const std::string& from, const std::string& to) {
    ASSERT_TRUE(run(source_.rename(path_of(from), path_of(to))));
  }

  void swap(const std::string& one, const std::string& other) {
    rename(one, "aside");
    rename(other, one);
    rename("aside", other);
  }

  void expect_refused() {
    const auto copied = copy("a", "a");
    EXPECT_EQ(code_of(copied), ErrorCode::conflict);
    EXPECT_EQ(contents_of(target_), Contents{});
    EXPECT_FALSE(progress_.kept());
  }
};

struct Call {
  std::string call;
  std::string path;
};
void PrintTo(const Call& call, std::ostream* out) {
  *out << call.call << ' ' << call.path;
}

class TransferChangedDuringTest : public TransferChangedTest,
                                  public testing::WithParamInterface<Call> {
 protected:
  void when(std::function<void()> change) { before(GetParam().call, GetParam().path, change); }
};

INSTANTIATE_TEST_SUITE_P(Calls, TransferChangedDuringTest,
                         testing::Values(Call{"open", "a/1"}, Call{"open", "a/b/2"},
                                         Call{"list", "a/b"}, Call{"list", "a/b/c"},
                                         Call{"open", "a/b/c/1"}, Call{"open", "a/b/c/2"}));

TEST_P(TransferChangedDuringTest, TheTopIsRenamed) {
  when([this] { rename("a", "z"); });
  expect_refused();
}

TEST_P(TransferChangedDuringTest, TheTopIsMovedAway) {
  when([this] { rename("a", "other/a"); });
  expect_refused();
}

TEST_P(TransferChangedDuringTest, TheTopIsDeleted) {
  when([this] { erase(source_, "a"); });
  expect_refused();
}

TEST_P(TransferChangedDuringTest, AnotherFolderTakesThePlaceOfTheTop) {
  when([this] { swap("a", "other"); });
  expect_refused();
}

TEST_P(TransferChangedDuringTest, TheTopIsDeletedAndMadeAgain) {
  when([this] {
    erase(source_, "a");
    put_folder(source_, "a/b/c");
  });
  expect_refused();
}

// As a file system does that gives an inode out again as soon as it is free.
TEST_P(TransferChangedDuringTest, TheTopIsDeletedAndMadeAgainWithItsInode) {
  from_.hooks.show = [](const Path&, storage::Entry& entry) { entry.file_id = 7; };
  when([this] {
    erase(source_, "a");
    put_folder(source_, "a/b/c");
  });
  expect_refused();
}

class TransferChangedWithinTest : public TransferChangedDuringTest {};

INSTANTIATE_TEST_SUITE_P(Calls, TransferChangedWithinTest,
                         testing::Values(Call{"list", "a/b"}, Call{"open", "a/b/1"},
                                         Call{"open", "a/b/2"}, Call{"list", "a/b/c"},
                                         Call{"open", "a/b/c/1"}));

TEST_P(TransferChangedWithinTest, AFolderIsRenamed) {
  when([this] { rename("a/b", "a/z"); });
  expect_refused();
}

TEST_P(TransferChangedWithinTest, AFolderIsDeleted) {
  when([this] { erase(source_, "a/b"); });
  expect_refused();
}

TEST_P(TransferChangedWithinTest, AnotherTakesItsPlace) {
  when([this] { swap("a/b", "other/b"); });
  expect_refused();
}

TEST_F(TransferChangedTest, ABackendWithoutIdentitiesTellsWhatIsGone) {
  from_.hooks.show = [](const Path&, storage::Entry& entry) { entry.file_id = 0; };
  for (const std::string folder : {"a", "a/b"}) {
    before("open", "a/b/1", [this, folder] { rename(folder, "other/z"); });
    expect_refused();
    rename("other/z", folder);
  }
}

// An SFTP server looks at each item that it lists by the folder's name.
TEST_F(TransferChangedTest, AFolderThatIsRenamedWhileItIsListedIsNotTakenForEmpty) {
  from_.hooks.show = [](const Path&, storage::Entry& entry) { entry.file_id = 0; };
  from_.hooks.list = [this](const Path& folder, std::vector<storage::Entry>& entries) {
    if (folder.str() != "a/b/c") return;
    rename("a/b", "a/z");
    entries.clear();
  };
  expect_refused();
}

TEST_F(TransferChangedTest, FilesOpenedTogetherAreLostWithTheirFolder) {
  from_.hooks.together = [this](const Path& file) {
    if (file.str() != "a/b/2") return true;
    rename("a/b", "a/z");
    return false;
  };
  expect_refused();
}

TEST_F(TransferChangedTest, FilesThatComeAndGoAreNoChange) {
  before("open", "a/b/1", [this] {
    erase(source_, "a/b/1");
    erase(source_, "a/1");
    put(source_, "a/b/new", "new");
  });
  EXPECT_TRUE(copy("a", "a"));
}

}  // namespace
}  // namespace coffer::core
