#include "backends/local/size_limit.h"
#include "backends/local/testing/crash_fixture.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;
using Clock = fs::file_time_type::clock;

TEST_F(Logged, AFileThatACrashTookIsWrittenAgain) {
  make_folder("folder");
  write("folder/gone", "one");
  write("torn", "two");
  write("empty", "");
  const auto modified = fs::last_write_time(root() / "folder/gone");
  crash([&] {
    fs::remove(root() / "folder/gone");
    fs::remove(root() / "empty");
    tear("torn");
  });
  EXPECT_EQ(content_of("folder/gone"), "one");
  EXPECT_EQ(content_of("torn"), "two");
  EXPECT_TRUE(fs::exists(root() / "empty"));
  EXPECT_EQ(fs::last_write_time(root() / "folder/gone"), modified);
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

TEST_F(Logged, FilesOfOneUploadAreWrittenAgain) {
  std::vector<std::unique_ptr<storage::Writer>> writers;
  writers.push_back(begin(backend(), path_of("small"), "small"));
  writers.push_back(begin(backend(), path_of("large"), std::string(200'000, 'x')));
  writers.push_back(begin(backend(), path_of("last"), "last"));
  ASSERT_TRUE(run(backend().publish(writers, UINT64_MAX)));
  writers.clear();
  crash([&] {
    fs::remove(root() / "small");
    fs::remove(root() / "last");
  });
  EXPECT_EQ(content_of("small"), "small");
  EXPECT_EQ(content_of("large").size(), 200'000U);
  EXPECT_EQ(content_of("last"), "last");
}

TEST_F(Logged, ASecondCrashFindsWhatTheFirstLeft) {
  write("file", "content");
  crash([&] { fs::remove(root() / "file"); });
  write("second", "more");
  crash([&] { fs::remove(root() / "second"); });
  EXPECT_EQ(content_of("file"), "content");
  EXPECT_EQ(content_of("second"), "more");
}

TEST_F(Logged, WithoutACrashOfTheMachineNothingIsWritten) {
  write("file", "content");
  copy_logs();
  close();
  fs::remove(root() / "file");  // By another program, which the kernel knows.
  reopen();
  EXPECT_FALSE(fs::exists(root() / "file"));
}

TEST_F(Logged, WhatWasRemovedStaysRemoved) {
  make_folder("folder/deep");
  write("file", "content");
  write("folder/deep/file", "content");
  remove("file");
  remove("folder");
  make_folder("folder/deep");
  crash([] {});
  EXPECT_EQ(names(backend()), std::vector<std::string>{"folder/"});
  EXPECT_EQ(names(backend(), "folder/deep"), std::vector<std::string>{});
}

TEST_F(Logged, WhatWasWrittenAndRemovedManyTimesStaysRemoved) {
  for (int i = 0; i < 100; ++i) {
    write(std::to_string(i), "content");
    remove(std::to_string(i));
  }
  crash([] {});
  EXPECT_EQ(names(backend()), std::vector<std::string>{});
}

TEST_F(Logged, WhatWasRenamedIsOnTheDiskAndStaysRenamed) {
  make_folder("folder");
  write("file", "one");
  write("folder/file", "two");
  rename("file", "moved");
  rename("folder", "other");
  make_folder("folder");
  crash([] {});
  EXPECT_EQ(names(backend()), (std::vector<std::string>{"folder/", "moved", "other/"}));
  EXPECT_EQ(names(backend(), "folder"), std::vector<std::string>{});
  EXPECT_EQ(content_of("moved"), "one");
  EXPECT_EQ(content_of("other/file"), "two");
}

TEST_F(Logged, ManyFilesOfAFolderAreWrittenOutAtOnceWhenItIsRenamed) {
  make_folder("folder");
  for (int i = 0; i < 40; ++i) write("folder/" + std::to_string(i), "content");
  rename("folder", "other");
  crash([] {});
  EXPECT_EQ(names(backend()), std::vector<std::string>{"other/"});
  EXPECT_EQ(names(backend(), "other").size(), 40U);
}

TEST_F(Logged, WhatWasReplacedIsTheNewContent) {
  write("file", "old");
  write("file", "new");
  crash([] {});
  EXPECT_EQ(content_of("file"), "new");
}

TEST_F(Logged, ANameThatIsUsedAgainHasItsLastContent) {
  write("file", "old");
  remove("file");
  write("file", "new");
  crash([&] { fs::remove(root() / "file"); });
  EXPECT_EQ(content_of("file"), "new");
}

TEST_F(Logged, AnUploadThatFailedDoesNotComeBack) {
  write("taken", "first");
  storage::WriteOptions options;
  options.if_taken = storage::IfTaken::refuse;
  const Path taken = path_of("taken");
  auto writer = run(backend().create(taken, options)).value();
  EXPECT_EQ(code_of(publish(backend(), writer)), ErrorCode::exists);
  EXPECT_EQ(code_of(upload(backend(), path_of("large"), "too large", 3)), ErrorCode::over_quota);
  EXPECT_EQ(code_of(upload(backend(), path_of("none/file"), "x")), ErrorCode::not_found);
  writer.reset();
  crash([&] { fs::remove(root() / "taken"); });
  EXPECT_EQ(names(backend()), std::vector<std::string>{"taken"});
  EXPECT_EQ(content_of("taken"), "first");
}

TEST_F(Logged, WhatOthersDidStays) {
  make_folder("folder");
  write("another", "ours");
  write("edited", "ours");
  write("a-link", "ours");
  write("folder/file", "ours");
  crash([&] {
    fs::rename(root() / "folder", root() / "moved");
    fs::remove(root() / "another");
    put("unused", "so that the inode is another one");
    put("another", "theirs");
    put("edited", "theirs, later");
    fs::last_write_time(root() / "edited", Clock::now() + std::chrono::hours(1));
    fs::remove(root() / "a-link");
    fs::create_symlink("edited", root() / "a-link");
  });
  EXPECT_EQ(content_of("another"), "theirs");
  EXPECT_EQ(content_of("edited"), "theirs, later");
  EXPECT_TRUE(fs::is_symlink(root() / "a-link"));
  EXPECT_FALSE(fs::exists(root() / "folder"));
}

TEST_F(Logged, ViewsAndLinksLeadToTheSameLog) {
  make_folder("real/deep");
  fs::create_directory_symlink("real", root() / "link");
  const auto view = backend().beneath(path_of("real"));
  ASSERT_TRUE(upload(*view, path_of("deep/viewed"), "one"));
  write("link/deep/linked", "two");
  write("link/deep/removed", "three");
  remove("real/deep/removed");
  crash([&] {
    fs::remove(root() / "real/deep/viewed");
    fs::remove(root() / "real/deep/linked");
  });
  EXPECT_EQ(names(backend(), "real/deep"), (std::vector<std::string>{"linked", "viewed"}));
  EXPECT_EQ(content_of("real/deep/viewed"), "one");
  EXPECT_EQ(content_of("real/deep/linked"), "two");
}

TEST_F(Logged, AnEndSettlesIt) {
  write("file", "content");
  close();
  EXPECT_TRUE(fs::is_empty(logs()));
  begin_boot();
  EXPECT_EQ(content_of("file"), "content");
}

TEST_F(Logged, MoreThanItHoldsIsSettledOnTheWay) {
  const std::string content(60'000, 'x');
  constexpr int kFiles = 1200;  // More than both of the log's files take together.
  for (int i = 0; i < kFiles; ++i) write(std::to_string(i), content);
  std::uintmax_t log_bytes = 0;
  for (const auto& file : fs::directory_iterator(logs())) log_bytes += file.file_size();
  EXPECT_LT(log_bytes, 110'000'000U);
  EXPECT_GT(log_bytes, 0U);
  crash([] {});
  EXPECT_EQ(names(backend()).size(), static_cast<std::size_t>(kFiles));
}

TEST_F(Logged, WhereTheLogCannotGrowFilesAreSyncedByThemselves) {
  const SizeLimit limit(2'000);  // Less than the log's head.
  for (int i = 0; i < 5; ++i) write(std::to_string(i), "content");
  remove("0");
  rename("1", "renamed");
  crash([] {});
  EXPECT_EQ(names(backend()), (std::vector<std::string>{"2", "3", "4", "renamed"}));
}

TEST_F(Logged, WhatWasRemovedAtAPathThatIsLongerThanTheKernelTellsStaysRemoved) {
  std::string folder = std::string(200, 'a');
  for (int depth = 1; depth < 25; ++depth) folder += '/' + std::string(200, 'a');
  make_folder(folder);
  write(folder + "/file", "content");
  write(folder + "/kept", "content");
  remove(folder + "/file");
  crash([] {});
  EXPECT_EQ(names(backend(), folder), std::vector<std::string>{"kept"});
}

TEST_F(Logged, AStartThatCannotRestoreFailsAndLosesNothing) {
  write("file", std::string(50'000, 'x'));
  copy_logs();
  close();
  fs::remove(root() / "file");
  store_options_.boot = "later";
  {
    const SizeLimit limit(20'000);
    EXPECT_EQ(code_of(LocalStore::open(store_options(), pool_)), ErrorCode::failed);
  }
  reopen();
  EXPECT_EQ(content_of("file").size(), 50'000U);
}

}  // namespace
}  // namespace coffer::local
