#include <atomic>
#include <condition_variable>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "backends/local/testing/local_fixture.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;
using storage::FolderNotice;

/// The notices of one folder. A listener may still be called when its watch has ended.
class Told {
 public:
  storage::FolderListener listener() {
    return [counts = counts_](FolderNotice notice) {
      const std::lock_guard lock(counts->mutex);
      if (notice == FolderNotice::changed) ++counts->changes;
      if (notice == FolderNotice::missed) ++counts->misses;
      if (notice == FolderNotice::lost) ++counts->losses;
      counts->more.notify_all();
    };
  }
  /// Returns when there was a change since this was called last.
  void wait_for_change() { wait(counts_->changes, seen_); }
  void wait_for_miss() { wait(counts_->misses, seen_misses_); }
  void wait_for_loss() { wait(counts_->losses, seen_losses_); }
  int changes() {
    const std::lock_guard lock(counts_->mutex);
    return counts_->changes;
  }

 private:
  struct Counts {
    std::mutex mutex;
    std::condition_variable more;
    int changes = 0;
    int misses = 0;
    int losses = 0;
  };

  void wait(const int& count, int& seen) {
    std::unique_lock lock(counts_->mutex);
    counts_->more.wait(lock, [&] { return count > seen; });
    seen = count;
  }

  const std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
  int seen_ = 0;
  int seen_misses_ = 0;
  int seen_losses_ = 0;
};

/// How many folders the kernel watches for this process.
std::size_t kernel_watches() {
  std::size_t count = 0;
  for (const auto& descriptor : fs::directory_iterator("/proc/self/fdinfo")) {
    std::ifstream info(descriptor.path());
    for (std::string line; std::getline(info, line);) count += line.starts_with("inotify wd:");
  }
  return count;
}

std::size_t longest_queue() {
  std::size_t length = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> length;
  return length;
}

class FolderWatchesTest : public LocalFixture {
 protected:
  std::unique_ptr<storage::FolderWatch> watch(std::string_view folder, Told& told) {
    return watch(backend(), folder, told);
  }
  std::unique_ptr<storage::FolderWatch> watch(storage::Backend& backend, std::string_view folder,
                                              Told& told) {
    const Path path = path_of(folder);
    return run(backend.watch(path, told.listener()));
  }
  /// Returns when all earlier notices have arrived everywhere.
  void pass_by(const std::string& folder, Told& told) {
    for (int i = 0; i < 2; ++i) {
      put(fs::path(folder) / ("passing" + std::to_string(count_++)), "");
      told.wait_for_change();
    }
  }

 private:
  int count_ = 0;
};

/// With and without the kernel's notices.
class EachFolderWatch : public FolderWatchesTest, public testing::WithParamInterface<bool> {
 protected:
  EachFolderWatch() {
    store_options_.kernel_notices = GetParam();
    reopen();
    fs::create_directories(root() / "a/b");
  }
};
INSTANTIATE_TEST_SUITE_P(Kernel, EachFolderWatch, testing::Values(true, false));

TEST_P(EachFolderWatch, TellsOfItemsThatComeAndGo) {
  Told told;
  const auto watched = watch("a/b", told);
  put("a/b/one", "1");
  told.wait_for_change();
  fs::rename(root() / "a/b/one", root() / "a/b/two");
  told.wait_for_change();
  fs::rename(root() / "a/b/two", root() / "out");
  told.wait_for_change();
  fs::rename(root() / "out", root() / "a/b/in");
  told.wait_for_change();
  fs::remove(root() / "a/b/in");
  told.wait_for_change();
  fs::create_directory(root() / "a/b/folder");
  told.wait_for_change();
}

TEST_P(EachFolderWatch, TellsOfWhatItsOwnBackendDoes) {
  Told told;
  const auto watched = watch("a/b", told);
  ASSERT_TRUE(upload(backend(), path_of("a/b/file"), "content"));
  told.wait_for_change();
  ASSERT_TRUE(run(backend().remove(path_of("a/b/file"))));
  told.wait_for_change();
}

TEST_P(EachFolderWatch, FollowsThePathWhenTheFolderIsMadeAgain) {
  Told told;
  const auto watched = watch("a/b", told);
  fs::remove(root() / "a/b");
  told.wait_for_change();
  fs::create_directory(root() / "a/b");
  told.wait_for_change();
  put("a/b/file", "");
  told.wait_for_change();
}

TEST_P(EachFolderWatch, FollowsThePathWhenAFolderAboveIsRenamed) {
  Told told;
  const auto watched = watch("a/b", told);
  fs::rename(root() / "a", root() / "z");
  told.wait_for_change();
  fs::create_directories(root() / "a/b");
  told.wait_for_change();
  put("a/b/file", "");
  told.wait_for_change();
}

TEST_P(EachFolderWatch, WaitsForAFolderThatIsNotThereYet) {
  Told told;
  const auto watched = watch("a/new/deep", told);
  fs::create_directories(root() / "a/new/deep");
  told.wait_for_change();
  put("a/new/deep/file", "");
  told.wait_for_change();
}

TEST_F(FolderWatchesTest, TellsOfAFileThatIsWrittenWhereItIs) {
  put("file", "old");
  Told told;
  const auto watched = watch("", told);
  put("file", "new");
  told.wait_for_change();
}

TEST_F(FolderWatchesTest, TellsNothingOfHiddenNamesAndOfOtherFolders) {
  fs::create_directories(root() / "a/b");
  fs::create_directories(root() / "c");
  Told told;
  Told other;
  const auto watched = watch("a/b", told);
  const auto also = watch("c", other);
  put(fs::path("a/b") / storage::partial_name(), "");
  put("a/beside", "");
  put("beside", "");
  fs::create_directory(root() / "a/b/folder");
  told.wait_for_change();
  put("a/b/folder/file", "");
  const int before = told.changes();
  put(fs::path("a/b") / storage::partial_name(), "");
  pass_by("c", other);
  EXPECT_EQ(told.changes(), before);
}

TEST_F(FolderWatchesTest, FollowsNoLinkThatLeadsOut) {
  fs::create_directories(top() / "outside");
  fs::create_directories(root() / "view");
  fs::create_directories(root() / "beside");
  fs::create_directory_symlink(top() / "outside", root() / "out");
  fs::create_directory_symlink("../beside", root() / "view/out");
  Told told;
  Told of_view;
  Told other;
  const auto view = backend().beneath(path_of("view"));
  const auto watched = watch("out", told);
  const auto also = watch(*view, "out", of_view);
  const auto third = watch("beside", other);
  std::ofstream(top() / "outside/file") << "";
  pass_by("beside", other);
  EXPECT_EQ(told.changes(), 0);
  EXPECT_EQ(of_view.changes(), 0);
}

TEST_F(FolderWatchesTest, WatchesTheFolderOfAView) {
  fs::create_directories(root() / "view/in");
  Told told;
  const auto view = backend().beneath(path_of("view"));
  const auto watched = watch(*view, "in", told);
  put("view/in/file", "");
  told.wait_for_change();
  fs::rename(root() / "view", root() / "away");
  told.wait_for_change();
}

TEST_F(FolderWatchesTest, SaysWhenTheKernelCouldNotKeepUp) {
  fs::create_directory(root() / "hold");
  std::promise<void> is_full;
  const auto full = is_full.get_future().share();
  const Path hold = path_of("hold");
  const auto holding = run(backend().watch(hold, [full](FolderNotice) { full.wait(); }));
  Told told;
  const auto watched = watch("", told);
  // The thread that reads is held by the first; meanwhile the kernel has no room for all.
  put("hold/file", "");
  put("one", "");
  for (std::size_t i = 0; i < longest_queue(); ++i) {
    fs::rename(root() / "one", root() / "two");
    fs::rename(root() / "two", root() / "one");
  }
  is_full.set_value();
  told.wait_for_miss();
  put("after", "");
  told.wait_for_change();
}

TEST_F(FolderWatchesTest, SaysWhenItsRootIsMoved) {
  Told told;
  const auto watched = watch("", told);
  fs::rename(root(), top() / "moved");
  told.wait_for_loss();
}

TEST_F(FolderWatchesTest, LeavesNoWatchBehind) {
  fs::create_directories(root() / "a/b");
  Told told;
  {
    const auto watched = watch("a/b", told);
    const auto again = watch("a/b", told);
    const auto above = watch("a", told);
    EXPECT_EQ(kernel_watches(), 3U);
    fs::rename(root() / "a/b", root() / "a/c");
    told.wait_for_change();
  }
  EXPECT_EQ(kernel_watches(), 0U);
}

TEST_F(FolderWatchesTest, TakesManyThatComeAndGoWhileFoldersChange) {
  fs::create_directories(root() / "a/b");
  std::atomic<bool> is_over = false;
  std::thread changing([&] {
    while (!is_over) {
      fs::rename(root() / "a", root() / "z");
      fs::rename(root() / "z", root() / "a");
    }
  });
  Told told;
  for (int i = 0; i < 500; ++i) watch("a/b", told);
  const auto last = watch("a/b", told);
  is_over = true;
  changing.join();
  put("a/b/file", "");
  told.wait_for_change();
}

}  // namespace
}  // namespace coffer::local
