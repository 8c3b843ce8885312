#include <fcntl.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "backends/local/log_file.h"
#include "backends/local/log_record.h"
#include "backends/local/log_recovery.h"
#include "backends/local/testing/crash_fixture.h"
#include "backends/local/testing/sync_calls.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

/// Several roots on one store, none of them in the data folder.
class Shares : public Logged {
 protected:
  Shares() {
    store_options_.base = top() / "data";
    begin_boot();
  }

  std::unique_ptr<LocalBackend> open_share(const fs::path& folder, bool is_writable = true) {
    fs::create_directories(folder);
    LocalOptions options{folder, {}, true, true};
    if (is_writable) options.staging = folder / storage::kStagingFolder;
    return LocalBackend::open(options, store()).value();
  }
  std::size_t waiting_logs() const {
    std::size_t count = 0;
    for (const auto& log : fs::directory_iterator(logs())) {
      if (log.path().filename().string().starts_with(kWaitingPrefix)) ++count;
    }
    return count;
  }
};

TEST_F(Shares, WhatIsRemovedOrRenamedThroughAnotherRootStaysSo) {
  make_folder("inner/folder");
  auto inner = open_share(root() / "inner");
  write("inner/removed", "one");
  write("inner/renamed", "two");
  write("inner/folder/file", "three");
  ASSERT_TRUE(upload(*inner, path_of("through"), "four"));
  const Path removed = path_of("removed");
  const Path renamed = path_of("renamed");
  const Path name = path_of("name");
  const Path folder = path_of("folder");
  ASSERT_TRUE(run(inner->remove(removed)));
  ASSERT_TRUE(run(inner->rename(renamed, name)));
  ASSERT_TRUE(run(inner->remove(folder)));
  remove("inner/through");
  inner.reset();
  crash([] {});
  EXPECT_EQ(names(backend(), "inner"),
            (std::vector<std::string>{std::string(storage::kStagingFolder) + '/', "name"}));
  EXPECT_EQ(content_of("inner/name"), "two");
}

TEST_F(Shares, AreRecoveredAtTheStartAlsoWhereNoneIsOpened) {
  auto share = open_share(top() / "share");
  ASSERT_TRUE(upload(*share, path_of("gone"), "one"));
  share.reset();
  crash([&] { fs::remove(top() / "share/gone"); });
  EXPECT_TRUE(fs::exists(top() / "share/gone"));
  wait_reclaimed();
  EXPECT_TRUE(fs::is_empty(top() / "share" / storage::kStagingFolder));
}

TEST_F(Shares, ThatAreNotThereAreRecoveredWhenTheyAreAgain) {
  auto share = open_share(top() / "share");
  ASSERT_TRUE(upload(*share, path_of("gone"), "one"));
  ASSERT_TRUE(upload(*share, path_of("removed later"), "two"));
  const Path removed = path_of("removed later");
  ASSERT_TRUE(run(share->remove(removed)));
  share.reset();
  crash([&] {
    fs::remove(top() / "share/gone");
    fs::rename(top() / "share", top() / "disk");
    fs::create_directory(top() / "share");  // As a mount point without its disk.
  });
  EXPECT_TRUE(fs::is_empty(top() / "share"));
  EXPECT_EQ(waiting_logs(), 1U);
  begin_boot();
  EXPECT_EQ(waiting_logs(), 1U);
  fs::remove(top() / "share");
  fs::rename(top() / "disk", top() / "share");
  begin_boot();
  EXPECT_TRUE(fs::exists(top() / "share/gone"));
  EXPECT_FALSE(fs::exists(top() / "share/removed later"));
  EXPECT_EQ(waiting_logs(), 0U);
}

TEST_F(Shares, ThatComeBackWhileTheServerRunsAreRecoveredBeforeTheyAreServed) {
  auto share = open_share(top() / "share");
  ASSERT_TRUE(upload(*share, path_of("gone"), "one"));
  share.reset();
  crash([&] {
    fs::remove(top() / "share/gone");
    fs::rename(top() / "share", top() / "disk");
  });
  EXPECT_EQ(waiting_logs(), 1U);
  fs::rename(top() / "disk", top() / "share");
  share = open_share(top() / "share", false);
  EXPECT_EQ(download(*share, path_of("gone")), "one");
  EXPECT_EQ(waiting_logs(), 0U);
}

/// The names of a file in the folder of before and of one in the folder that took its place.
class Replaced : public Shares,
                 public testing::WithParamInterface<std::pair<std::string, std::string>> {
 protected:
  void put_into_share(const std::string& name, std::string_view content) {
    auto share = open_share(top() / "share");
    ASSERT_TRUE(upload(*share, path_of(name), content));
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_P(Replaced, FoldersEachGetBackTheirOwn) {
  const auto& [before, after] = GetParam();
  put_into_share(before, "one");
  fs::rename(top() / "share", top() / "aside");
  put_into_share(after, "two");
  crash([&] {
    fs::remove(top() / "aside" / before);
    fs::remove(top() / "share" / after);
  });
  EXPECT_EQ(text_of(top() / "share" / after), "two");
  EXPECT_FALSE(fs::exists(top() / "share" / before));
  EXPECT_EQ(waiting_logs(), 1U);
  fs::rename(top() / "share", top() / "next");
  fs::rename(top() / "aside", top() / "share");
  begin_boot();
  EXPECT_EQ(text_of(top() / "share" / before), "one");
  EXPECT_FALSE(fs::exists(top() / "share" / after));
  EXPECT_EQ(waiting_logs(), 0U);
}

INSTANTIATE_TEST_SUITE_P(InBothOrders, Replaced,
                         testing::Values(std::pair("a", "z"), std::pair("z", "a")));

/// The same of a folder in a share.
class ReplacedInside : public Replaced {
 protected:
  void put_inside(const std::string& name, std::string_view content) {
    put_into_share("in/" + name, content);
  }
  fs::path inner() const { return top() / "share/in"; }
};

TEST_P(ReplacedInside, FoldersEachGetBackTheirOwn) {
  const auto& [before, after] = GetParam();
  fs::create_directories(inner());
  put_inside(before, "one");
  fs::rename(inner(), top() / "share/aside");
  fs::create_directory(inner());
  put_inside(after, "two");
  crash([&] {
    fs::remove(top() / "share/aside" / before);
    // Of a name that is logged already the file is synced.
    if (before != after) fs::remove(inner() / after);
  });
  EXPECT_EQ(text_of(inner() / after), "two");
  EXPECT_EQ(fs::exists(inner() / before), before == after);
  EXPECT_EQ(waiting_logs(), 1U);
  fs::rename(inner(), top() / "share/next");
  fs::rename(top() / "share/aside", inner());
  begin_boot();
  EXPECT_EQ(text_of(inner() / before), "one");
  EXPECT_EQ(waiting_logs(), 0U);
}

INSTANTIATE_TEST_SUITE_P(InBothOrders, ReplacedInside,
                         testing::Values(std::pair("a", "z"), std::pair("z", "a"),
                                         std::pair("same", "same")));

TEST_F(Shares, ThatAreBeingRecoveredHoldUpNoOther) {
  auto share = open_share(top() / "share");
  ASSERT_TRUE(upload(*share, path_of("gone"), "one"));
  share.reset();
  crash([&] {
    fs::remove(top() / "share/gone");
    fs::rename(top() / "share", top() / "disk");
  });
  fs::rename(top() / "disk", top() / "share");
  std::unique_ptr<LocalBackend> other;
  {
    const SyncCalls calls([&](SyncCalls::Kind kind, int) {
      if (kind == SyncCalls::Kind::disk && !other) other = open_share(top() / "other", false);
      return 0;
    });
    share = open_share(top() / "share", false);
  }
  EXPECT_TRUE(other);
  EXPECT_EQ(download(*share, path_of("gone")), "one");
}

TEST_F(Logged, AFolderOfTheDataFolderThatWasPutAsideIsRecoveredThere) {
  write("gone", "one");
  crash([&] {
    fs::remove(root() / "gone");
    fs::rename(root(), top() / "aside");
    fs::create_directory(root());
  });
  EXPECT_TRUE(fs::exists(top() / "aside/gone"));
  EXPECT_FALSE(fs::exists(root() / "gone"));
}

TEST_F(Logged, FoldersOfTheDataFolderEachGetBackTheirOwn) {
  write("before", "one");
  fs::rename(root(), top() / "aside");
  fs::create_directory(root());
  auto next = LocalBackend::open(options(), store()).value();
  ASSERT_TRUE(upload(*next, path_of("after"), "two"));
  next.reset();
  crash([&] {
    fs::remove(top() / "aside/before");
    fs::remove(root() / "after");
  });
  EXPECT_TRUE(fs::exists(top() / "aside/before"));
  EXPECT_FALSE(fs::exists(root() / "before"));
  EXPECT_EQ(content_of("after"), "two");
}

TEST_F(Logged, TheDataFolderCanBeMovedBeforeARecovery) {
  write("gone", "one");
  copy_logs();
  close();
  fs::remove(root() / "gone");
  const fs::path moved = top() / "moved";
  fs::create_directory(moved);
  fs::rename(root(), moved / "root");
  fs::rename(logs(), moved / "logs");
  store_options_.boot = "later";
  StoreOptions options = store_options();
  options.base = moved;
  options.log = moved / "logs";
  options.staging = moved / "staging";
  const auto store = LocalStore::open(options, pool_);
  ASSERT_TRUE(store);
  EXPECT_TRUE(fs::exists(moved / "root/gone"));
}

TEST_F(Logged, TheDataFolderCanBeCopiedBeforeARecovery) {
  make_folder("folder");
  write("folder/gone", "one");
  copy_logs();
  close();
  fs::remove(root() / "folder/gone");
  const fs::path copied = top() / "copied";
  fs::create_directory(copied);
  fs::copy(root(), copied / "root", fs::copy_options::recursive);
  fs::rename(logs(), copied / "logs");
  fs::rename(root(), top() / "another disk");
  store_options_.boot = "later";
  StoreOptions options = store_options();
  options.base = copied;
  options.log = copied / "logs";
  options.staging = copied / "staging";
  ASSERT_TRUE(LocalStore::open(options, pool_));
  EXPECT_TRUE(fs::exists(copied / "root/folder/gone"));
}

/// As the first version of the log had it: a record's path is from its root on.
class EarlierVersion : public LocalFixture {
 protected:
  void leave_log(const fs::path& folder, std::string_view path, std::string_view content) {
    struct {
      std::uint64_t sequence = 1;
      std::uint64_t inode = 0;
      std::int64_t modified_seconds = 1;
      std::uint32_t modified_nanoseconds = 0;
      std::uint32_t path_bytes = 0;
      std::uint32_t content_bytes = 0;
      std::uint32_t kind = 0;
    } head;
    head.path_bytes = static_cast<std::uint32_t>(path.size());
    head.content_bytes = static_cast<std::uint32_t>(content.size());
    std::string text(LogFile::kFrameHeadBytes, '\0');
    text.append(reinterpret_cast<const char*>(&head), sizeof head).append(path).append(content);
    const auto written = std::as_bytes(std::span(text));
    std::vector<std::byte> frame(written.begin(), written.end());
    fs::create_directories(folder);
    const Handle place(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_EQ(LogFile::create(place.get(), kLogNames[0], "another run").value()->append(1, frame),
              0);
    std::fstream file(folder / kLogNames[0], std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(std::string_view("coffer log ").size()).put('1');
  }
};

TEST_F(EarlierVersion, LeftLogsThatAreRecoveredAtTheFirstStart) {
  close();
  fs::remove_all(top() / "content-log");
  fs::create_directories(top() / "share");
  leave_log(staging() / "ada/dead", "gone", "one");
  leave_log(top() / "share" / storage::kStagingFolder / "dead", "gone", "two");
  std::ofstream(staging() / "ada/saved-by hand") << "x";
  const auto store = LocalStore::open(store_options(), pool_,
                                      {{root(), staging() / "ada"},
                                       {top() / "share", top() / "share" / storage::kStagingFolder},
                                       {top() / "none", top() / "none" / storage::kStagingFolder}});
  ASSERT_TRUE(store);
  EXPECT_EQ(content_of("gone"), "one");
  EXPECT_TRUE(fs::exists(top() / "share/gone"));
  (*store)->wait_reclaimed();
  EXPECT_FALSE(fs::exists(staging() / "ada"));
  EXPECT_TRUE(fs::exists(staging() / "saved-by hand"));
}

}  // namespace
}  // namespace coffer::local
