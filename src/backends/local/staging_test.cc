#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "backends/local/lookup.h"
#include "backends/local/testing/local_fixture.h"
#include "backends/local/testing/size_limit.h"
#include "backends/local/tree_changes.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

class StagingFolder : public LocalFixture {
 protected:
  LocalOptions in_root() const {
    return {.root = root(), .collects = Collects::in_root, .durable = false};
  }
};

TEST_F(StagingFolder, KeepsOthersOut) {
  EXPECT_EQ(fs::status(staging()).permissions(), fs::perms::owner_all);
}

TEST_F(StagingFolder, IsEmptyAfterEveryOutcome) {
  fs::create_directories(root() / "folder/deep");
  put("folder/deep/file", "x");
  ASSERT_TRUE(upload(backend(), path_of("file"), "old"));
  ASSERT_TRUE(upload(backend(), path_of("file"), "new"));
  ASSERT_FALSE(upload(backend(), path_of("file"), "does not fit", 0));
  begin(backend(), path_of("dropped"), std::string(100'000, 'x'));
  finished(backend(), path_of("dropped"), "small");
  const Path folder = path_of("folder");
  const Path copy = path_of("copy");
  EXPECT_FALSE(run(backend().copy(folder, copy, {.limit_bytes = 0})));
  EXPECT_TRUE(run(backend().copy(folder, copy, {.limit_bytes = 1})));
  EXPECT_TRUE(run(backend().remove(folder)));
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
  close();
  EXPECT_TRUE(fs::is_empty(staging()));
}

TEST_F(StagingFolder, IsEmptyAfterMoreThanOneThreadDeletes) {
  for (int round = 0; round < 100; ++round) {
    fs::create_directories(root() / "folder/deep/deeper");
    put("folder/deep/file", "x");
    ASSERT_TRUE(upload(backend(), path_of("file"), "content"));
    ASSERT_TRUE(run(backend().remove(path_of("folder"))));
  }
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

TEST_F(StagingFolder, ThatWasDeletedIsMissedWhereAFileIsReplaced) {
  put("old", "old");
  std::vector<std::unique_ptr<storage::Writer>> writers;
  std::vector<std::unique_ptr<storage::Writer>> replacing;
  writers.push_back(begin(backend(), path_of("file"), "content"));
  replacing.push_back(begin(backend(), path_of("old"), "content"));
  fs::remove_all(staging());
  // A new file is made where it will stand.
  EXPECT_TRUE(run(backend().publish(writers, UINT64_MAX)));
  EXPECT_EQ(content_of("file"), "content");
  EXPECT_EQ(code_of(run(backend().publish(replacing, UINT64_MAX))), ErrorCode::not_found);
  EXPECT_EQ(content_of("old"), "old");
}

TEST_F(StagingFolder, IsSweptAtTheNextStart) {
  close();
  const fs::path left = plant_left(staging());
  fs::create_symlink(root(), left / "link");
  put("kept", "x");
  reopen();
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(content_of("kept"), "x");
}

TEST_F(StagingFolder, IsSweptOfNothingButWhatIsMarked) {
  close();
  const fs::path left = plant_left(staging());
  const fs::path renamed = staging() / "renamed";
  fs::rename(plant_left(staging()), renamed);
  const fs::path file = staging() / storage::partial_name();
  std::ofstream(file) << "x";
  const fs::path link = staging() / storage::partial_name();
  fs::create_directory_symlink(renamed, link);
  reopen();
  wait_reclaimed();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(renamed / "tree/deep/file"));
  EXPECT_TRUE(fs::exists(file));
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(StagingFolder, IsSweptWithoutTheOnlyCopyOfAFile) {
  close();
  const fs::path left = plant_left(staging());
  std::ofstream(left / "saved-file") << "x";
  reopen();
  wait_reclaimed();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(staging() / "saved-file"));
}

TEST_F(StagingFolder, IsNotSweptOfTheOnlyCopyOfAFileWhoseNameIsTaken) {
  close();
  const fs::path left = plant_left(staging());
  std::ofstream(left / "saved-file") << "x";
  std::ofstream(staging() / "saved-file") << "other";
  reopen();
  wait_reclaimed();
  EXPECT_TRUE(fs::exists(left / "saved-file"));
  fs::remove(staging() / "saved-file");
  reopen();
  wait_reclaimed();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(fs::file_size(staging() / "saved-file"), 1U);
}

TEST_F(StagingFolder, KeepsAFolderThatCouldNeitherBeMeasuredNorPutBack) {
  fs::create_directories(root() / "folder");
  put("folder/file", "x");
  Volume volume{store(), pool_, pool_, root_of(open_top(root())).value(), false};
  volume.staging.set(store().shared_staging().value());
  const Lookup lookup(volume);
  const Path path = path_of("folder");
  ItemRemoval removal(lookup, path);
  ASSERT_TRUE(removal.take_away());
  put("folder", "another");
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  const auto removed = removal.finish();
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(removed);
  EXPECT_EQ(content_of("folder"), "another");
  volume.staging.set(nullptr);
  reopen();
  wait_reclaimed();
  std::vector<std::string> kept;
  for (const auto& item : fs::directory_iterator(staging())) {
    if (fs::exists(item.path() / "file")) kept.push_back(item.path().filename());
  }
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_TRUE(kept.front().starts_with("saved-"));
}

TEST_F(StagingFolder, SharedWithAnotherBackendIsNotSweptFromUnderIt) {
  auto writer = finished(backend(), path_of("file"), std::string(100'000, 'x'));
  const auto second = LocalBackend::open(options(), store());
  ASSERT_TRUE(second);
  wait_reclaimed();
  ASSERT_TRUE(run(writer->finish()));
  ASSERT_TRUE(publish(backend(), writer));
  EXPECT_EQ(content_of("file").size(), 100'000U);
}

TEST_F(StagingFolder, OfAKilledProcessIsSwept) {
  close();
  const fs::path folder = staging() / storage::partial_name();
  const fs::path file = folder / "half";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    // What a process leaves in there, by system calls alone: this one had threads when it forked.
    ::mkdir(folder.c_str(), 0700);
    ::flock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY), LOCK_EX);
    ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
    (void)!::write(ready[1], "x", 1);
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  reopen();
  wait_reclaimed();
  EXPECT_TRUE(fs::exists(file));
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ::close(ready[0]);
  ::close(ready[1]);
  close();
  reopen();
  wait_reclaimed();
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_EQ(staged_items(), 0U);
}

TEST_F(StagingFolder, DirectlyInTheRootDoesNotShow) {
  const auto backend = LocalBackend::open(in_root(), store());
  ASSERT_TRUE(backend);
  put("file", "x");
  EXPECT_EQ(names(**backend), std::vector<std::string>{"file"});
  const Path hidden = path_of(".coffer-staging");
  const Path in_it = path_of(".coffer-staging/x");
  const Path all;
  EXPECT_EQ(code_of(run((*backend)->stat(hidden))), ErrorCode::not_found);
  EXPECT_EQ((*backend)->stat_now(hidden), std::nullopt);
  EXPECT_EQ(code_of(run((*backend)->remove(hidden))), ErrorCode::not_found);
  EXPECT_EQ(code_of(upload(**backend, in_it, "x")), ErrorCode::not_found);
  EXPECT_EQ(run((*backend)->measure(all)), (storage::TreeSize{1, 1, 1}));
  const auto view = (*backend)->beneath(hidden);
  EXPECT_EQ(code_of(run(view->list(all))), ErrorCode::not_found);
  EXPECT_TRUE(upload(**backend, path_of("new"), "x"));
}

TEST_F(StagingFolder, ThatIsNoFolderOfTheRootIsNotUsed) {
  put("file", "x");
  const fs::path outside = top() / "outside";
  const fs::path left = plant_left(outside);
  const fs::path place = root() / ".coffer-staging";
  const auto refuse = [&] {
    const auto backend = LocalBackend::open(in_root(), store()).value();
    EXPECT_EQ(names(*backend), std::vector<std::string>{"file"});
    EXPECT_EQ(code_of(upload(*backend, path_of("new"), "x")), ErrorCode::forbidden);
    fs::remove(place);
    EXPECT_TRUE(upload(*backend, path_of("new"), "x"));
    EXPECT_TRUE(run(backend->remove(path_of("new"))));
    wait_reclaimed();
  };
  for (const fs::path& target : {outside, fs::path("../outside"), fs::path("nowhere")}) {
    fs::create_directory_symlink(target, place);
    refuse();
    fs::remove_all(place);
  }
  std::ofstream(place) << "x";
  refuse();
  EXPECT_TRUE(fs::exists(left / "tree/deep/file"));
  EXPECT_FALSE(fs::exists(root() / "nowhere"));
}

TEST_F(StagingFolder, ThatIsRemovedIsMadeAgain) {
  ASSERT_TRUE(upload(backend(), path_of("old"), "x"));
  fs::remove_all(staging());
  ASSERT_TRUE(upload(backend(), path_of("file"), "content"));
  ASSERT_TRUE(run(backend().remove(path_of("file"))));
  const auto shared = LocalBackend::open(in_root(), store()).value();
  ASSERT_TRUE(upload(*shared, path_of("file"), "content"));
  fs::remove_all(root() / ".coffer-staging");
  ASSERT_TRUE(upload(*shared, path_of("file"), "new"));
  EXPECT_EQ(content_of("file"), "new");
  fs::remove_all(root() / ".coffer-staging");
  fs::create_directory_symlink(top() / "root", root() / ".coffer-staging");
  EXPECT_EQ(code_of(upload(*shared, path_of("more"), "x")), ErrorCode::forbidden);
}

TEST_F(StagingFolder, OfTheRootIsClosedToOthers) {
  fs::create_directory(root() / ".coffer-staging");
  fs::permissions(root() / ".coffer-staging", fs::perms::all);
  const auto shared = LocalBackend::open(in_root(), store()).value();
  EXPECT_EQ(fs::status(root() / ".coffer-staging").permissions(), fs::perms::owner_all);
}

TEST_F(StagingFolder, ARootThatIsMissingIsRefused) {
  const LocalOptions missing{.root = top() / "none", .collects = Collects::in_data};
  EXPECT_EQ(code_of(LocalBackend::open(missing, store())), ErrorCode::not_found);
}

TEST_F(StagingFolder, AWriteThatTheDiskRefusesFailsAndLeavesTheOldContent) {
  ASSERT_TRUE(upload(backend(), path_of("file"), "old"));
  const SizeLimit limit(100'000);
  const std::string large(150'000, 'x');
  const Path path = path_of("file");
  auto writer = run(backend().create(path, {})).value();
  const auto bytes = std::as_bytes(std::span(large));
  EXPECT_EQ(code_of(run(writer->write(bytes))), ErrorCode::disk_full);
  EXPECT_EQ(code_of(run(writer->write(bytes))), ErrorCode::failed);
  EXPECT_EQ(code_of(run(writer->finish())), ErrorCode::failed);
  EXPECT_EQ(code_of(publish(backend(), writer)), ErrorCode::failed);
  writer.reset();
  put("source", "");
  fs::create_directory(root() / "tree");
  wait_reclaimed();
  EXPECT_EQ(content_of("file"), "old");
  EXPECT_EQ(staged_items(), 0U);
}

}  // namespace
}  // namespace coffer::local
