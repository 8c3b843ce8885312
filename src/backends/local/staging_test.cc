#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "backends/local/testing/local_fixture.h"
#include "backends/local/testing/size_limit.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

class StagingFolder : public LocalFixture {};

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

TEST_F(StagingFolder, ThatWasDeletedIsNotThere) {
  std::vector<std::unique_ptr<storage::Writer>> writers;
  writers.push_back(run(backend().create(path_of("file"), {})).value());
  ASSERT_TRUE(run(writers[0]->write(std::as_bytes(std::span("content")))));
  fs::remove_all(staging());
  const auto shown = run(backend().publish(writers, UINT64_MAX));
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code, ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(root() / "file"));
}

TEST_F(StagingFolder, IsSweptAtTheNextStart) {
  close();
  fs::create_directories(staging() / "left/tree/deep");
  std::ofstream(staging() / "left/tree/deep/file") << "x";
  std::ofstream(staging() / "left-file") << "x";
  fs::create_symlink(root(), staging() / "left/link");
  put("kept", "x");
  reopen();
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
  EXPECT_FALSE(fs::exists(staging() / "left"));
  EXPECT_FALSE(fs::exists(staging() / "left-file"));
  EXPECT_EQ(content_of("kept"), "x");
}

TEST_F(StagingFolder, IsSweptWithoutTheOnlyCopyOfAFile) {
  close();
  fs::create_directory(staging() / "left");
  std::ofstream(staging() / "left/saved-file") << "x";
  reopen();
  wait_reclaimed();
  EXPECT_FALSE(fs::exists(staging() / "left"));
  EXPECT_TRUE(fs::exists(staging() / "saved-file"));
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
  const fs::path folder = staging() / "of-another";
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
  const LocalOptions inside{root(), root() / ".staging", false};
  const auto backend = LocalBackend::open(inside, store());
  ASSERT_TRUE(backend);
  put("file", "x");
  EXPECT_EQ(names(**backend), std::vector<std::string>{"file"});
  const Path hidden = path_of(".staging");
  const Path in_it = path_of(".staging/x");
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

TEST_F(StagingFolder, DeepInTheRootIsRefused) {
  fs::create_directories(root() / "a");
  const LocalOptions deep{root(), root() / "a/staging", false};
  EXPECT_EQ(code_of(LocalBackend::open(deep, store())), ErrorCode::invalid);
  const LocalOptions same{root(), root(), false};
  EXPECT_EQ(code_of(LocalBackend::open(same, store())), ErrorCode::invalid);
}

TEST_F(StagingFolder, ARootThatIsMissingIsRefused) {
  const LocalOptions missing{top() / "none", top() / "staging", false};
  EXPECT_EQ(code_of(LocalBackend::open(missing, store())), ErrorCode::not_found);
}

TEST_F(StagingFolder, AWriteThatTheDiskRefusesFailsAndLeavesTheOldContent) {
  ASSERT_TRUE(upload(backend(), path_of("file"), "old"));
  const SizeLimit limit(100'000);
  const std::string large(150'000, 'x');
  const Path path = path_of("file");
  auto writer = run(backend().create(path, {})).value();
  const auto bytes = std::as_bytes(std::span(large));
  EXPECT_EQ(code_of(run(writer->write(bytes))), ErrorCode::failed);
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
