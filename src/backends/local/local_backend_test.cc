#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string_view>

#include "backends/local/testing/local_fixture.h"
#include "backends/local/testing/status_calls.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;
using storage::TreeSize;

class Local : public LocalFixture {};

TEST_F(Local, ListsAHundredThousandEntries) {
  fs::create_directory(root() / "many");
  for (int i = 0; i < 100'000; ++i) put("many/" + std::to_string(i), "");
  const Path folder = path_of("many");
  const auto entries = run(backend().list(folder));
  ASSERT_TRUE(entries);
  EXPECT_EQ(entries->size(), 100'000U);
  EXPECT_EQ(run(backend().remove(folder)), (TreeSize{0, 100'000, 1}));
}

TEST_F(Local, GivesAReplacedFileAnotherId) {
  const Path path = path_of("file");
  ASSERT_TRUE(upload(backend(), path, "1"));
  const auto first = run(backend().stat(path));
  ASSERT_TRUE(upload(backend(), path, "2"));
  const auto second = run(backend().stat(path));
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->file_id, 0U);
  EXPECT_NE(first->file_id, second->file_id);
}

TEST_F(Local, FoldersOfTwoDisksAreTwoItemsWhateverTheirNumbers) {
  fs::create_directory(root() / "one");
  fs::create_directory(root() / "other");
  const StatusCalls calls([](std::string_view name, struct ::statx& status) {
    if (name == "one" || name == "other") status.stx_ino = 256;
    if (name == "other") ++status.stx_dev_minor;
  });
  const Path one = path_of("one");
  const Path other = path_of("other");
  EXPECT_EQ(code_of(run(backend().rename(one, other))), ErrorCode::exists);
  EXPECT_TRUE(fs::exists(root() / "one"));
}

TEST_F(Local, ADescriptorReadsTheWholeFile) {
  ASSERT_TRUE(upload(backend(), path_of("file"), "content"));
  const auto reader = backend().open_now(path_of("file"));
  ASSERT_NE(reader, nullptr);
  std::array<char, 16> buffer{};
  ASSERT_TRUE(reader->descriptor());
  EXPECT_EQ(::pread(*reader->descriptor(), buffer.data(), buffer.size(), 0), 7);
}

TEST_F(Local, NewItemsFollowTheUmask) {
  const mode_t before = ::umask(022);
  ASSERT_TRUE(upload(backend(), path_of("file"), "x"));
  const Path folder = path_of("folder");
  ASSERT_TRUE(run(backend().make_folder(folder)));
  ::umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(root() / "file").permissions()), 0644U);
  EXPECT_EQ(static_cast<unsigned>(fs::status(root() / "folder").permissions()), 0755U);
}

TEST_F(Local, ACopyKeepsPermissions) {
  fs::create_directory(root() / "tree");
  put("tree/script", "x");
  fs::permissions(root() / "tree/script", fs::perms{0750});
  fs::permissions(root() / "tree", fs::perms{0550});
  const Path from = path_of("tree");
  const Path to = path_of("copy");
  ASSERT_TRUE(run(backend().copy(from, to, {.limit_bytes = 99})));
  EXPECT_EQ(fs::status(root() / "copy/script").permissions(), fs::perms{0750});
  EXPECT_EQ(fs::status(root() / "copy").permissions(), fs::perms{0550});
  fs::permissions(root() / "tree", fs::perms{0750});
  fs::permissions(root() / "copy", fs::perms{0750});
}

TEST_F(Local, CopiesALargeFileInTheKernel) {
  const std::string content(3'000'001, 'y');
  put("large", content);
  const Path from = path_of("large");
  const Path to = path_of("copy");
  EXPECT_EQ(run(backend().copy(from, to, {.limit_bytes = content.size()})),
            (TreeSize{content.size(), 1, 0}));
  EXPECT_TRUE(content_of("copy") == content);
  const Path none = path_of("none");
  EXPECT_EQ(code_of(run(backend().copy(from, none, {.limit_bytes = content.size() - 1}))),
            ErrorCode::over_quota);
}

TEST_F(Local, DurableCallsDoTheSame) {
  options_.durable = true;
  reopen();
  const Path folder = path_of("a/b");
  const Path copy = path_of("copy");
  const Path file = path_of("a/b/file");
  const Path moved = path_of("moved");
  ASSERT_TRUE(run(backend().make_folder(folder)));
  ASSERT_TRUE(upload(backend(), file, std::string(20'000'000, 'x')));
  EXPECT_EQ(run(backend().copy(folder, copy, {})), (TreeSize{20'000'000, 1, 1}));
  EXPECT_EQ(run(backend().copy(file, moved, {})), (TreeSize{20'000'000, 1, 0}));
  ASSERT_TRUE(run(backend().remove(moved)));
  ASSERT_TRUE(run(backend().rename(copy, moved)));
  EXPECT_EQ(run(backend().remove(folder)), (TreeSize{20'000'000, 1, 1}));
  EXPECT_EQ(names(backend()), (std::vector<std::string>{"a/", "moved/"}));
}

TEST_F(Local, TwoHardLinksAreTwoItems) {
  put("a", "x");
  fs::create_hard_link(root() / "a", root() / "b");
  const Path a = path_of("a");
  const Path b = path_of("b");
  EXPECT_EQ(code_of(run(backend().rename(a, b))), ErrorCode::exists);
  EXPECT_EQ(names(backend()), (std::vector<std::string>{"a", "b"}));
}

TEST_F(Local, TheSameNameIsNoChange) {
  put("a", "x");
  const Path a = path_of("a");
  EXPECT_TRUE(run(backend().rename(a, a)));
  EXPECT_EQ(content_of("a"), "x");
}

TEST_F(Local, ErrorsNameNoPathOfTheServer) {
  const Path path = path_of("none");
  const auto result = run(backend().stat(path));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message.find('/'), std::string::npos);
}

TEST_F(Local, CanonicalPathsHaveNoLinksOnTheWay) {
  fs::create_directories(root() / "real/inner");
  fs::create_symlink("real", root() / "way");
  fs::create_symlink("inner", root() / "real/leaf");
  EXPECT_EQ(run(backend().canonical(path_of("way/inner")))->str(), "real/inner");
  EXPECT_EQ(run(backend().canonical(path_of("way/new")))->str(), "real/new");
  EXPECT_EQ(run(backend().canonical(path_of("real/leaf")))->str(), "real/leaf");
  EXPECT_EQ(run(backend().canonical(Path()))->str(), "");
  EXPECT_EQ(code_of(run(backend().canonical(path_of("none/x")))), ErrorCode::not_found);
  const auto view = backend().beneath(path_of("real"));
  EXPECT_EQ(run(view->canonical(path_of("inner/x")))->str(), "inner/x");
}

TEST_F(Local, ARenameAndARemovalFollowNoLinkOnTheirWay) {
  fs::create_directories(root() / "real");
  put("real/file", "content");
  put("other", "other");
  fs::create_symlink("real", root() / "way");
  EXPECT_EQ(code_of(run(backend().rename(path_of("way/file"), path_of("new")))),
            ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().rename(path_of("other"), path_of("way/new")))),
            ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().remove(path_of("way/file")))), ErrorCode::conflict);
  EXPECT_EQ(content_of("real/file"), "content");
  ASSERT_TRUE(run(backend().rename(path_of("way"), path_of("moved"))));
  EXPECT_TRUE(fs::is_symlink(root() / "moved"));
  ASSERT_TRUE(run(backend().remove(path_of("moved"))));
  EXPECT_EQ(content_of("real/file"), "content");
}

TEST_F(Local, AddsUpATreeOfManyFolders) {
  storage::TreeSize expected{.bytes = 0, .files = 0, .folders = 1};
  for (int i = 0; i < 200; ++i) {
    const std::string folder = "tree/" + std::to_string(i % 20) + "/" + std::to_string(i);
    std::filesystem::create_directories(root() / folder);
    put(folder + "/file", std::string(static_cast<std::size_t>(i), 'x'));
    expected.bytes += static_cast<std::uint64_t>(i);
    ++expected.files;
    expected.folders += i < 20 ? 2 : 1;
  }
  EXPECT_EQ(run(backend().measure(path_of("tree"))), expected);
}

TEST_F(Local, PublishesMoreFilesThanItMayOpen) {
  constexpr int kFiles = 300;
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{100, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  std::vector<std::unique_ptr<storage::Writer>> writers;
  for (int i = 0; i < kFiles; ++i) {
    writers.push_back(finished(backend(), path_of(std::to_string(i)), "x"));
  }
  const auto published = run(backend().publish(writers, kFiles));
  ::setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_TRUE(published) << published.error().message;
  EXPECT_EQ(names(backend()).size(), static_cast<std::size_t>(kFiles));
}

TEST_F(Local, SeveralAreTakenBackInAllFolders) {
  fs::create_directories(root() / "one");
  fs::create_directories(root() / "two");
  put("one/old", "old");
  std::vector<std::unique_ptr<storage::Writer>> writers;
  writers.push_back(finished(backend(), path_of("one/old"), "new"));
  writers.push_back(finished(backend(), path_of("two/new"), "new"));
  writers.push_back(finished(backend(), path_of("gone"), "new"));
  fs::create_directory(root() / "gone");
  EXPECT_EQ(code_of(run(backend().publish(writers, UINT64_MAX))), ErrorCode::exists);
  EXPECT_EQ(content_of("one/old"), "old");
  EXPECT_TRUE(fs::is_empty(root() / "two"));
  fs::remove(root() / "gone");
  EXPECT_TRUE(run(backend().publish(writers, UINT64_MAX)));
  EXPECT_EQ(content_of("one/old"), "new");
  EXPECT_EQ(content_of("two/new"), "new");
}

TEST_F(Local, WithoutAStagingFolderNothingIsChangedOrMade) {
  close();
  put("file", "content");
  fs::remove_all(staging());
  const auto own_store = LocalStore::open({}, pool_).value();
  const auto backend = LocalBackend::open({.root = root()}, *own_store);
  ASSERT_TRUE(backend);
  const Path file = path_of("file");
  const Path other = path_of("other");
  EXPECT_EQ(download(**backend, file), "content");
  EXPECT_EQ(names(**backend), std::vector<std::string>{"file"});
  EXPECT_EQ(code_of(upload(**backend, other, "x")), ErrorCode::forbidden);
  EXPECT_EQ(code_of(run((*backend)->make_folder(other))), ErrorCode::forbidden);
  EXPECT_EQ(code_of(run((*backend)->rename(file, other))), ErrorCode::forbidden);
  EXPECT_EQ(code_of(run((*backend)->copy(file, other, {}))), ErrorCode::forbidden);
  EXPECT_EQ(code_of(run((*backend)->remove(file))), ErrorCode::forbidden);
  EXPECT_EQ(names(**backend), std::vector<std::string>{"file"});
  EXPECT_FALSE(fs::exists(staging()));
}

}  // namespace
}  // namespace coffer::local
