#include <fcntl.h>
#include <linux/magic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <thread>
#include <utility>

#include "backends/local/testing/local_fixture.h"

namespace coffer::local {
namespace {

/// While it is set, all disks tell that they are FAT.
std::atomic<bool> is_fat = false;

}  // namespace
}  // namespace coffer::local

/// The program's own, in place of the C library's.
extern "C" int fstatfs(int folder, struct statfs* disk) noexcept {
  const auto result = static_cast<int>(::syscall(SYS_fstatfs, folder, disk));
  if (result == 0 && coffer::local::is_fat) disk->f_type = MSDOS_SUPER_MAGIC;
  return result;
}

namespace coffer::local {
namespace {

namespace fs = std::filesystem;
using storage::TreeSize;

class Containment : public LocalFixture {
 protected:
  Containment() {
    fs::create_directories(top() / "outside");
    std::ofstream(top() / "outside/secret") << "secret";
  }
  void link(const fs::path& target, const fs::path& name) {
    fs::create_symlink(target, root() / name);
  }
  void expect_absent(storage::Backend& backend, std::string_view text) {
    const Path path = path_of(text);
    EXPECT_EQ(code_of(run(backend.stat(path))), ErrorCode::not_found) << text;
    EXPECT_EQ(code_of(run(backend.open(path))), ErrorCode::not_found) << text;
    EXPECT_EQ(code_of(run(backend.list(path))), ErrorCode::not_found) << text;
    EXPECT_EQ(code_of(run(backend.measure(path))), ErrorCode::not_found) << text;
    EXPECT_EQ(backend.open_now(path), nullptr) << text;
    EXPECT_EQ(backend.stat_now(path), std::nullopt) << text;
  }
};

TEST_F(Containment, ShortNamesOfHiddenItemsLeadNowhereWhereADiskMayHaveThem) {
  fs::create_directories(root() / "COFFER~1");
  put("COFFER~1/file", "content");
  link("COFFER~1", "link");
  EXPECT_EQ(download(backend(), path_of("COFFER~1/file")), "content");
  is_fat = true;
  reopen();
  is_fat = false;
  for (const char* path : {"COFFER~1", "coffer~1/file", "link"}) expect_absent(backend(), path);
  // Nor are they shown, and so a move of what they are in keeps it.
  const Path top_folder;
  const auto listing = run(backend().read_folder(top_folder, {}));
  ASSERT_TRUE(listing);
  EXPECT_TRUE(listing->entries.empty());
  EXPECT_EQ(listing->left_out, 2u);
  const Path folder = path_of("COFFER~1");
  const Path other = path_of("other");
  EXPECT_EQ(code_of(run(backend().remove(folder))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().rename(folder, other))), ErrorCode::not_found);
  EXPECT_EQ(code_of(upload(backend(), path_of("COFFER~1/new"), "x")), ErrorCode::not_found);
}

TEST_F(Containment, LinksThatStayBeneathAreFollowed) {
  fs::create_directories(root() / "docs/deep");
  put("docs/file", "content");
  link("docs", "folder-link");
  link("docs/file", "file-link");
  link("../file", "docs/deep/up");
  EXPECT_EQ(names(backend()), (std::vector<std::string>{"docs/", "file-link", "folder-link/"}));
  EXPECT_EQ(download(backend(), path_of("file-link")), "content");
  EXPECT_EQ(download(backend(), path_of("folder-link/deep/up")), "content");
  EXPECT_EQ(names(backend(), "folder-link"), (std::vector<std::string>{"deep/", "file"}));
  const Path root;
  const auto listed = run(backend().list(root));
  ASSERT_TRUE(listed);
  for (const storage::Entry& item : *listed) {
    EXPECT_EQ(item.is_link, item.name.ends_with("link")) << item.name;
  }
  const Path path = path_of("file-link");
  const auto entry = run(backend().stat(path));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->name, "file-link");
  EXPECT_EQ(entry->size_bytes, 7U);
}

TEST_F(Containment, LinksThatLeaveLeadNowhere) {
  link(top() / "outside", "absolute");
  link(root(), "absolute-inside");
  link("../outside", "leaving");
  link("../outside/secret", "leaving-file");
  link("loop", "loop");
  link("nothing", "dangling");
  link("/proc/self/root", "magic");
  for (const auto* name : {"absolute", "absolute/secret", "absolute-inside", "leaving",
                           "leaving/secret", "leaving-file", "loop", "dangling", "magic"}) {
    expect_absent(backend(), name);
  }
  EXPECT_EQ(names(backend()), std::vector<std::string>());
}

TEST_F(Containment, NothingIsWrittenThroughALeavingLink) {
  link("../outside", "leaving");
  put("file", "x");
  const Path file = path_of("file");
  const Path below = path_of("leaving/new");
  const Path secret = path_of("leaving/secret");
  EXPECT_EQ(code_of(upload(backend(), below, "x")), ErrorCode::not_found);
  EXPECT_EQ(code_of(upload(backend(), secret, "x")), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().make_folder(below))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().rename(file, below))), ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().rename(secret, file))), ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().copy(secret, below, {.limit_bytes = 99}))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().remove(secret))), ErrorCode::conflict);
  EXPECT_TRUE(fs::exists(top() / "outside/secret"));
  EXPECT_FALSE(fs::exists(top() / "outside/new"));
}

TEST_F(Containment, AViewContainsTheLinksInIt) {
  fs::create_directories(root() / "home/docs");
  fs::create_directories(root() / "other");
  put("other/file", "other's");
  put("home/file", "own");
  link("../other", "home/leaving");
  link("../../home/file", "home/docs/leaving-and-back");
  link("../file", "home/docs/staying");
  EXPECT_EQ(download(backend(), path_of("home/leaving/file")), "other's");
  const auto view = backend().beneath(path_of("home"));
  expect_absent(*view, "leaving");
  expect_absent(*view, "leaving/file");
  expect_absent(*view, "docs/leaving-and-back");
  EXPECT_EQ(download(*view, path_of("docs/staying")), "own");
  EXPECT_EQ(names(*view), (std::vector<std::string>{"docs/", "file"}));
  const auto inner = view->beneath(path_of("docs"));
  expect_absent(*inner, "staying");
}

TEST_F(Containment, NoLinkLeadsIntoTheProgramsOwnFolders) {
  fs::create_directories(root() / ".coffer-bin/id");
  fs::create_directories(root() / "docs");
  put(".coffer-bin/id/file", "deleted");
  put("file", "x");
  link(".coffer-bin", "bin");
  link(".coffer-bin/id", "item");
  link("docs/../.coffer-bin/id/file", "content");
  link("../.coffer-bin", "docs/up");
  link("bin", "twice");
  for (const auto* name : {"bin", "bin/id", "bin/id/file", "item", "item/file", "content",
                           "docs/up", "docs/up/id", "twice", "twice/id/file"}) {
    expect_absent(backend(), name);
  }
  EXPECT_EQ(names(backend()), (std::vector<std::string>{".coffer-bin/", "docs/", "file"}));
  const Path file = path_of("file");
  const Path deleted = path_of("bin/id/file");
  const Path below = path_of("item/new");
  EXPECT_EQ(code_of(upload(backend(), below, "x")), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().make_folder(below))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().rename(file, below))), ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().rename(deleted, path_of("out")))), ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().copy(deleted, path_of("out"), {.limit_bytes = 99}))),
            ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().remove(deleted))), ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().canonical(deleted))), ErrorCode::not_found);
  expect_absent(*backend().beneath(path_of("bin")), "id/file");
  EXPECT_EQ(download(backend(), path_of(".coffer-bin/id/file")), "deleted");
}

TEST_F(Containment, WhatLiesInTheProgramsOwnFoldersLeadsNowhere) {
  fs::create_directories(root() / ".coffer-bin");
  fs::create_directories(root() / "docs");
  fs::create_directories(root() / "sub");
  put("docs/file", "x");
  link("../docs", ".coffer-bin/id");
  const Path deleted = path_of(".coffer-bin/id");
  EXPECT_EQ(code_of(run(backend().stat(deleted))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().measure(deleted))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().remove(path_of(".coffer-bin/id/file")))), ErrorCode::conflict);
  ASSERT_TRUE(run(backend().rename(deleted, path_of("sub/back"))));
  EXPECT_EQ(download(backend(), path_of("sub/back/file")), "x");
}

TEST_F(Containment, ABinThatIsALinkIsNotFollowed) {
  fs::create_directories(root() / "docs");
  put("docs/file", "x");
  put("file", "x");
  link("docs", ".coffer-bin");
  const Path item = path_of(".coffer-bin/file");
  expect_absent(backend(), ".coffer-bin");
  EXPECT_EQ(code_of(run(backend().rename(path_of("file"), path_of(".coffer-bin/new")))),
            ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().rename(item, path_of("out")))), ErrorCode::conflict);
  EXPECT_EQ(code_of(run(backend().remove(item))), ErrorCode::conflict);
  EXPECT_EQ(content_of("docs/file"), "x");
}

TEST_F(Containment, AScopeIsReachedThroughNoLink) {
  fs::create_directories(root() / "home");
  fs::create_directories(root() / "other");
  put("home/file", "own");
  put("other/file", "other's");
  const auto view = backend().beneath(path_of("home"));
  EXPECT_EQ(download(*view, path_of("file")), "own");
  fs::rename(root() / "home", root() / "aside");
  link("other", "home");
  expect_absent(*view, "file");
  EXPECT_EQ(code_of(upload(*view, path_of("new"), "x")), ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(root() / "other/new"));
}

TEST_F(Containment, AnUploadReplacesALinkAndNotItsTarget) {
  put("target", "kept");
  link("target", "link");
  link("../outside/secret", "leaving");
  const auto published = upload(backend(), path_of("link"), "new");
  ASSERT_TRUE(published);
  EXPECT_EQ(published->at(0).replaced_bytes, 0U);
  EXPECT_TRUE(upload(backend(), path_of("leaving"), "new"));
  EXPECT_EQ(content_of("target"), "kept");
  EXPECT_FALSE(fs::is_symlink(root() / "link"));
  EXPECT_FALSE(fs::is_symlink(root() / "leaving"));
  EXPECT_EQ(content_of("../outside/secret"), "secret");
}

TEST_F(Containment, AnUploadOntoALinkToAFolderIsRefused) {
  fs::create_directory(root() / "folder");
  link("folder", "link");
  EXPECT_EQ(code_of(upload(backend(), path_of("link"), "x")), ErrorCode::exists);
  EXPECT_TRUE(fs::is_symlink(root() / "link"));
}

TEST_F(Containment, RemovingALinkKeepsItsTarget) {
  fs::create_directory(root() / "folder");
  put("folder/file", "x");
  link("folder", "link");
  const Path path = path_of("link");
  EXPECT_EQ(run(backend().remove(path)), (TreeSize{0, 0, 0}));
  EXPECT_TRUE(fs::exists(root() / "folder/file"));
  EXPECT_FALSE(fs::is_symlink(root() / "link"));
}

TEST_F(Containment, RecursiveWorkFollowsNoLink) {
  fs::create_directories(root() / "tree");
  put("tree/file", "123");
  link("../../outside", "tree/leaving");
  link("file", "tree/staying");
  const Path tree = path_of("tree");
  const Path copy = path_of("copy");
  EXPECT_EQ(run(backend().measure(tree)), (TreeSize{3, 1, 1}));
  EXPECT_EQ(run(backend().copy(tree, copy, {.limit_bytes = 99})), (TreeSize{3, 1, 1}));
  EXPECT_EQ(names(backend(), "copy"), std::vector<std::string>{"file"});
  EXPECT_EQ(run(backend().remove(tree)), (TreeSize{3, 1, 1}));
  wait_reclaimed();
  EXPECT_TRUE(fs::exists(top() / "outside/secret"));
}

/// Puts a link in the place of the other one of two files, once one of them is copied.
class Swapping final : public storage::CopyWatch {
 public:
  Swapping(fs::path tree, fs::path target) : tree_(std::move(tree)), target_(std::move(target)) {}
  void wrote(std::uint64_t bytes) override {
    if (is_done_) return;
    is_done_ = true;
    const fs::path other = tree_ / (bytes == 1 ? "two" : "one");
    fs::remove(other);
    fs::create_symlink(target_, other);
  }

 private:
  const fs::path tree_;
  const fs::path target_;
  bool is_done_ = false;
};

TEST_F(Containment, AFileThatBecomesALinkWhileItsFolderIsCopiedIsNotFollowed) {
  fs::create_directories(root() / "tree");
  put("tree/one", "1");
  put("tree/two", "22");
  Swapping watch(root() / "tree", top() / "outside/secret");
  const Path tree = path_of("tree");
  const Path copy = path_of("copy");
  const auto copied = run(backend().copy(tree, copy, {.limit_bytes = 99, .watch = watch}));
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->files, 1U);
  ASSERT_EQ(names(backend(), "copy").size(), 1U);
  const std::string name = names(backend(), "copy").front();
  EXPECT_EQ(download(backend(), copy / Path::parse(name).value()), name == "one" ? "1" : "22");
}

TEST_F(Containment, DevicesSocketsAndFifosAreNotThere) {
  ASSERT_EQ(::mkfifo((root() / "fifo").c_str(), 0666), 0);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string socket_path = (root() / "socket").string();
  ASSERT_LT(socket_path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, socket_path.c_str(), socket_path.size());
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(descriptor);
  link("fifo", "link-to-fifo");
  for (const auto* name : {"fifo", "socket", "link-to-fifo"}) expect_absent(backend(), name);
  EXPECT_EQ(names(backend()), std::vector<std::string>());
  const Path fifo = path_of("fifo");
  EXPECT_EQ(code_of(run(backend().remove(fifo))), ErrorCode::not_found);
  EXPECT_EQ(code_of(upload(backend(), fifo, "x")), ErrorCode::exists);
  const Path root_copy = path_of("copy");
  fs::create_directory(root() / "tree");
  ASSERT_EQ(::mkfifo((root() / "tree/fifo").c_str(), 0666), 0);
  const Path tree = path_of("tree");
  EXPECT_EQ(run(backend().copy(tree, root_copy, {.limit_bytes = 99})), (TreeSize{0, 0, 1}));
}

TEST_F(Containment, NamesThatNoPathCouldNameAreLeftOut) {
  put("fine", "x");
  put("bad\xff", "x");
  put("line\nbreak", "x");
  EXPECT_EQ(names(backend()), std::vector<std::string>{"fine"});
  const Path root;
  EXPECT_EQ(run(backend().measure(root))->files, 3U);
  link("../outside", "way-out");
  put(".coffer-part-x", "x");
  const auto listing = run(backend().read_folder(root)).value();
  EXPECT_EQ(listing.left_out, 3U);
  EXPECT_FALSE(listing.is_whole());
}

TEST_F(Containment, ALinkSwappedWhileItIsUsedNeverLeadsOut) {
  fs::create_directories(root() / "good");
  put("good/secret", "harmless");
  link("good", "way");
  std::atomic<bool> done = false;
  std::jthread attacker([&] {
    const fs::path way = root() / "way";
    const fs::path next = root() / "next";
    for (bool leaving = true; !done; leaving = !leaving) {
      fs::create_symlink(leaving ? "../outside" : "good", next);
      fs::rename(next, way);
    }
  });
  int harmless = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto seen = download(backend(), path_of("way/secret"));
    ASSERT_TRUE(!seen || *seen == "harmless");
    harmless += seen ? 1 : 0;
    (void)upload(backend(), path_of("way/planted"), "x");
    const Path victim = path_of("way/planted");
    (void)run(backend().remove(victim));
  }
  done = true;
  attacker.join();
  EXPECT_GT(harmless, 0);
  EXPECT_FALSE(fs::exists(top() / "outside/planted"));
  EXPECT_TRUE(fs::exists(top() / "outside/secret"));
}

}  // namespace
}  // namespace coffer::local
