#include <sys/stat.h>

#include "conformance/sftp_fixture.h"

namespace coffer::conformance {
namespace {

namespace fs = std::filesystem;
using storage::TreeSize;

class SftpContainment : public SftpTest {
 protected:
  SftpContainment() {
    fs::create_directories(root_ / "home");
    fs::create_directories(root_ / "outside");
    put("outside/secret", "secret");
    options_.root = root_ / "home";
  }
  void link(const fs::path& target, const fs::path& name) const {
    fs::create_symlink(target, root_ / "home" / name);
  }
  std::vector<std::string> names(storage::Backend& in, std::string_view path = "") {
    const Path folder = path_of(path);
    std::vector<std::string> names;
    const auto entries = run(in.list(folder)).value();
    for (const auto& entry : entries) {
      names.push_back(entry.name + (entry.is_directory ? "/" : ""));
    }
    std::ranges::sort(names);
    return names;
  }
  static void expect_absent(storage::Backend& in, std::string_view name) {
    const Path path = path_of(name);
    EXPECT_EQ(code_of(run(in.stat(path))), ErrorCode::not_found) << name;
    EXPECT_EQ(code_of(run(in.open(path))), ErrorCode::not_found) << name;
    EXPECT_EQ(code_of(run(in.list(path))), ErrorCode::not_found) << name;
    EXPECT_EQ(code_of(run(in.measure(path))), ErrorCode::not_found) << name;
  }
};

TEST_F(SftpContainment, LinksThatStayBeneathAreFollowed) {
  fs::create_directories(root_ / "home/docs/deep");
  put("home/docs/file", "content");
  link("docs", "folder-link");
  link("docs/file", "file-link");
  link("../file", "docs/deep/up");
  link(".", "here");
  EXPECT_EQ(names(backend()),
            (std::vector<std::string>{"docs/", "file-link", "folder-link/", "here/"}));
  EXPECT_EQ(download(backend(), path_of("file-link")), "content");
  EXPECT_EQ(download(backend(), path_of("here/folder-link/deep/up")), "content");
  const Path way = path_of("here/folder-link/deep/up");
  EXPECT_EQ(run(backend().canonical(way)), path_of("docs/deep/up"));
}

TEST_F(SftpContainment, LinksThatLeaveLeadNowhere) {
  link(root_ / "outside", "absolute");
  link(root_ / "home", "absolute-inside");
  link("../outside", "leaving");
  link("../outside/secret", "leaving-file");
  link("loop", "loop");
  link("nothing", "dangling");
  for (const auto* name : {"absolute", "absolute/secret", "absolute-inside", "leaving",
                           "leaving/secret", "leaving-file", "loop", "dangling"}) {
    expect_absent(backend(), name);
  }
  EXPECT_EQ(names(backend()), std::vector<std::string>());
}

TEST_F(SftpContainment, NothingIsWrittenThroughALeavingLink) {
  link("../outside", "leaving");
  put("home/file", "x");
  const Path file = path_of("file");
  const Path below = path_of("leaving/new");
  const Path secret = path_of("leaving/secret");
  EXPECT_EQ(code_of(upload(backend(), below, "x")), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().make_folder(below))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().rename(file, below))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().rename(secret, file))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().copy(secret, below, {.limit_bytes = 99}))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().remove(secret))), ErrorCode::not_found);
  EXPECT_EQ(content_of("outside/secret"), "secret");
  EXPECT_FALSE(fs::exists(root_ / "outside/new"));
}

TEST_F(SftpContainment, AViewContainsTheLinksInIt) {
  fs::create_directories(root_ / "home/view/docs");
  fs::create_directories(root_ / "home/other");
  put("home/other/file", "other's");
  put("home/view/file", "own");
  link("../other", "view/leaving");
  link("../../view/file", "view/docs/leaving-and-back");
  link("../file", "view/docs/staying");
  link("view", "way");
  EXPECT_EQ(download(backend(), path_of("view/leaving/file")), "other's");
  for (const auto* folder : {"view", "way"}) {
    const auto view = backend().beneath(path_of(folder));
    expect_absent(*view, "leaving");
    expect_absent(*view, "docs/leaving-and-back");
    EXPECT_EQ(download(*view, path_of("docs/staying")), "own");
    EXPECT_EQ(names(*view), (std::vector<std::string>{"docs/", "file"}));
  }
}

TEST_F(SftpContainment, AnUploadReplacesALinkAndNotItsTarget) {
  put("home/target", "kept");
  link("target", "link");
  link("../outside/secret", "leaving");
  const auto published = upload(backend(), path_of("link"), "new");
  ASSERT_TRUE(published);
  EXPECT_EQ(published->at(0).replaced_bytes, 0U);
  EXPECT_TRUE(upload(backend(), path_of("leaving"), "new"));
  EXPECT_EQ(content_of("home/target"), "kept");
  EXPECT_FALSE(fs::is_symlink(root_ / "home/link"));
  EXPECT_EQ(content_of("outside/secret"), "secret");
}

TEST_F(SftpContainment, RemovingALinkKeepsItsTarget) {
  fs::create_directory(root_ / "home/folder");
  put("home/folder/file", "x");
  link("folder", "link");
  const Path path = path_of("link");
  EXPECT_EQ(run(backend().remove(path)), TreeSize());
  EXPECT_EQ(content_of("home/folder/file"), "x");
  EXPECT_FALSE(fs::is_symlink(root_ / "home/link"));
}

TEST_F(SftpContainment, RecursiveWorkFollowsNoLink) {
  fs::create_directories(root_ / "home/tree");
  put("home/tree/file", "123");
  link("../../outside", "tree/leaving");
  link("file", "tree/staying");
  const Path tree = path_of("tree");
  const Path copy = path_of("copy");
  EXPECT_EQ(run(backend().measure(tree)), (TreeSize{3, 1, 1}));
  EXPECT_EQ(run(backend().copy(tree, copy, {.limit_bytes = 99})), (TreeSize{3, 1, 1}));
  EXPECT_EQ(names(backend(), "copy"), std::vector<std::string>{"file"});
  EXPECT_EQ(run(backend().remove(tree)), (TreeSize{3, 1, 1}));
  EXPECT_EQ(content_of("outside/secret"), "secret");
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "home"), {}), 1);
}

TEST_F(SftpContainment, WhatIsNeitherFileNorFolderIsNotThere) {
  ASSERT_EQ(::mkfifo((root_ / "home/fifo").c_str(), 0666), 0);
  link("fifo", "link-to-fifo");
  for (const auto* name : {"fifo", "link-to-fifo"}) expect_absent(backend(), name);
  EXPECT_EQ(names(backend()), std::vector<std::string>());
}

TEST_F(SftpContainment, NamesThatNoPathCouldNameAreLeftOut) {
  for (const auto* name : {"fine", "bad\xff", "line\nbreak"}) {
    put(fs::path("home") / name, "x");
  }
  EXPECT_EQ(names(backend()), std::vector<std::string>{"fine"});
  const Path root;
  EXPECT_EQ(run(backend().read_folder(root))->left_out, 2U);
}

TEST_F(SftpContainment, ATreeWithNamesThatNoPathCouldNameIsRemoved) {
  fs::create_directories(root_ / "home/tree/bad\xff");
  put("home/tree/bad\xff/line\nbreak", "x");
  const Path tree = path_of("tree");
  EXPECT_TRUE(run(backend().remove(tree)));
  EXPECT_TRUE(fs::is_empty(root_ / "home"));
}

}  // namespace
}  // namespace coffer::conformance
