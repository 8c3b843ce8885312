#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "conformance/sftp_fixture.h"

namespace coffer::conformance {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// The server behind sftp_relay.cc, and the file of its orders.
struct RelayServer {
  const ScratchFolder folder;
  const fs::path orders = folder.path() / "orders";
  const servers::SshServer server{
      {.lines = {"ForceCommand " COFFER_SFTP_RELAY " " + orders.string()}}};
};

RelayServer& relay_server() {
  static RelayServer server;
  return server;
}

/// Kinds of requests, and what becomes of them; see sftp_relay.cc.
constexpr auto kInit = "1";
constexpr auto kClose = "4";
constexpr auto kRead = "5";
constexpr auto kLookAtPath = "7";
constexpr auto kLookAtOpen = "8";
constexpr auto kOpenFolder = "11";
constexpr auto kMakeFolder = "14";
constexpr auto kRemove = "13";
constexpr auto kRename = "18";
constexpr auto kReplace = "posix-rename@openssh.com";
constexpr auto kSync = "fsync@openssh.com";
constexpr auto kCopyData = "copy-data";
constexpr auto kLink = "hardlink@openssh.com";
constexpr auto kDrop = "drop";
constexpr auto kLose = "lose";
constexpr auto kDenied = "3";
constexpr auto kFailure = "4";
constexpr auto kUnsupported = "8";

/// A tree on a server that fails at the requests it is set to fail at.
class SftpOrders : public SftpTest {
 protected:
  SftpOrders() {
    order_nothing();
    options_ = options_for(relay_server().server);
    options_.root = root_;
    options_.max_connections = 1;
  }
  static void order_nothing() { change_orders(std::ios::trunc, {}); }
  /// The next but `count - 1` of its kind, on whatever connection; each of them if it is 0.
  static void order(std::string_view kind, int count, std::string_view what) {
    add_order(fmt::format("{} {} {}\n", kind, count, what));
  }
  static void fold_case() { add_order("fold\n"); }
  static void leave_out_sizes() { add_order("sizeless\n"); }
  static void leave_out_types() { add_order("typeless\n"); }
  static void add_order(const std::string& line) { change_orders(std::ios::app, line); }
  /// Relays at work, also those of the test before, write the file too.
  static void change_orders(std::ios::openmode mode, const std::string& line) {
    const auto& file = relay_server().orders;
    const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ::flock(lock, LOCK_EX);
    std::ofstream(file, std::ios::out | mode) << line;
    ::close(lock);
  }

  /// All names in the tree's top folder.
  Names all_names() const {
    Names names;
    for (const auto& item : fs::directory_iterator(root_)) names.push_back(item.path().filename());
    std::ranges::sort(names);
    return names;
  }
  /// What is left over goes behind.
  void expect_soon(const Names& names) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (all_names() != names && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    EXPECT_EQ(all_names(), names);
  }
  Result<void> rename(std::string_view from, std::string_view to) {
    const Path source = path_of(from);
    const Path target = path_of(to);
    return run(backend().rename(source, target));
  }
  Result<storage::TreeSize> remove(std::string_view path) {
    const Path parsed = path_of(path);
    return run(backend().remove(parsed));
  }
};

TEST_F(SftpOrders, AChangeOfCaseWorksWhereCaseDoesNotCount) {
  put("Photo", "x");
  fold_case();
  ASSERT_TRUE(rename("Photo", "photo"));
  EXPECT_EQ(all_names(), Names{"photo"});
  put("Other", "y");
  EXPECT_EQ(code_of(rename("Other", "PHOTO")), ErrorCode::exists);
}

TEST_F(SftpOrders, AChangeOfCaseIsTakenBackOrDoneWhereverTheConnectionBreaks) {
  for (const auto* what : {kDrop, kLose}) {
    for (const int count : {1, 2}) {
      SCOPED_TRACE(std::string(what) + std::to_string(count));
      put("Photo", "x");
      order_nothing();
      fold_case();
      order(kRename, count, what);
      const auto renamed = rename("Photo", "photo");
      EXPECT_EQ(all_names(), Names{renamed ? "photo" : "Photo"});
      fs::remove(root_ / "photo");
    }
  }
}

TEST_F(SftpOrders, AChangeOfCaseThatIsRefusedHalfWayIsTakenBack) {
  put("Photo", "x");
  fold_case();
  order(kRename, 2, kDenied);
  EXPECT_FALSE(rename("Photo", "photo"));
  EXPECT_EQ(all_names(), Names{"Photo"});
}

TEST_F(SftpOrders, AChangeOfCaseThatCannotBeTakenBackLeavesItInSight) {
  put("Photo", "x");
  fold_case();
  order(kRename, 2, kDrop);
  const Path root;
  ASSERT_TRUE(run(backend().list(root)));
  order(kInit, 0, kDrop);
  EXPECT_FALSE(rename("Photo", "photo"));
  ASSERT_EQ(names_on_disk().size(), 1U);
  EXPECT_TRUE(names_on_disk().at(0).starts_with("Photo.replaced-")) << names_on_disk().at(0);
}

/// None of these may count as a server that is down.
TEST_F(SftpOrders, WhatAServerRefusesIsNotAnOutage) {
  const Path folder = path_of("folder");
  for (const auto* status : {"4", "5", "8", "14", "15", "77"}) {
    order(kMakeFolder, 1, status);
    EXPECT_EQ(code_of(run(backend().make_folder(folder))), ErrorCode::refused) << status;
  }
  const Path too_long = path_of(std::string(300, 'x'));
  EXPECT_EQ(code_of(run(backend().stat(too_long))), ErrorCode::refused);
  EXPECT_TRUE(run(backend().make_folder(folder)));
}

TEST_F(SftpOrders, AServerThatTellsNothingOfOpenFilesIsUsed) {
  for (const auto* status : {kDenied, kUnsupported}) {
    SCOPED_TRACE(status);
    order(kLookAtOpen, 0, status);
    EXPECT_TRUE(upload(backend(), path_of("file"), "new"));
    EXPECT_EQ(content_of("file"), "new");
    EXPECT_EQ(download(backend(), path_of("file")), "new");
    order_nothing();
  }
}

TEST_F(SftpOrders, AServerThatDoesNotSyncIsUsed) {
  for (const auto* status : {kDenied, kUnsupported}) {
    order(kSync, 1, status);
    EXPECT_TRUE(upload(backend(), path_of("file"), "new")) << status;
  }
  order(kSync, 1, kFailure);
  EXPECT_EQ(code_of(upload(backend(), path_of("file"), "newer")), ErrorCode::refused);
  EXPECT_EQ(content_of("file"), "new");
}

/// Some servers have one code for all that fails.
TEST_F(SftpOrders, AListingTellsWhatIsMissingIfTheServerDoesNot) {
  fs::create_directory(root_ / "folder");
  put("folder/file", "old");
  order(kLookAtPath, 0, kFailure);
  const Path missing = path_of("folder/missing");
  EXPECT_EQ(code_of(run(backend().stat(missing))), ErrorCode::not_found);
  EXPECT_TRUE(upload(backend(), path_of("folder/new"), "new"));
  EXPECT_EQ(content_of("folder/new"), "new");
  const Path file = path_of("folder/file");
  EXPECT_EQ(run(backend().stat(file))->size_bytes, 3U);
}

TEST_F(SftpOrders, TypesThatTheServerLeavesOutAreFoundOut) {
  fs::create_directories(root_ / "folder/inner");
  put("folder/inner/file", "content");
  put("outside", "x");
  fs::create_symlink("../../outside", root_ / "folder/inner/link");
  options_.root = root_ / "folder";
  leave_out_types();
  const Path inner = path_of("inner");
  const auto listing = run(backend().read_folder(inner)).value();
  ASSERT_EQ(listing.entries.size(), 1U);
  EXPECT_FALSE(listing.entries.front().is_directory);
  EXPECT_EQ(listing.left_out, 1U);
  EXPECT_TRUE(run(backend().stat(inner))->is_directory);
  EXPECT_EQ(download(backend(), path_of("inner/file")), "content");
  const Path link = path_of("inner/link");
  EXPECT_EQ(code_of(run(backend().stat(link))), ErrorCode::not_found);
  EXPECT_TRUE(upload(backend(), path_of("inner/new"), "new"));
}

/// A server without fsync tells only then that its disk did not take the file.
TEST_F(SftpOrders, AnUploadThatTheServerCouldNotCloseFails) {
  put("file", "old");
  order(kClose, 1, kFailure);
  EXPECT_EQ(code_of(upload(backend(), path_of("file"), "new")), ErrorCode::refused);
  EXPECT_EQ(content_of("file"), "old");
  expect_soon({"file"});
}

TEST_F(SftpOrders, AReadThatFailedMayBeTriedAgain) {
  std::string content;
  for (int i = 0; content.size() < 500'000; ++i) content += std::to_string(i);
  put("file", content);
  const Path path = path_of("file");
  const auto reader = run(backend().open(path)).value();
  std::string piece(100'000, 0);
  const auto out = std::as_writable_bytes(std::span(piece));
  for (int failed = 0; failed < 3; ++failed) {
    order(kRead, failed + 1, kFailure);
    std::string got;
    while (got.size() < content.size()) {
      const auto count = run(reader->read(got.size(), out));
      EXPECT_TRUE(count || count.error().code == ErrorCode::refused);
      got += piece.substr(0, count.value_or(0));
    }
    EXPECT_TRUE(got == content);
  }
}

class SftpRemovalOrders : public SftpOrders {
 protected:
  SftpRemovalOrders() {
    fs::create_directories(root_ / "tree/inner");
    put("tree/file", "12345");
    put("tree/inner/file", "123");
  }
  static constexpr storage::TreeSize kWhole{.bytes = 8, .files = 2, .folders = 2};
};

TEST_F(SftpRemovalOrders, ATreeThatCannotBeReadStays) {
  order(kOpenFolder, 2, kDenied);
  EXPECT_EQ(code_of(remove("tree")), ErrorCode::forbidden);
  EXPECT_EQ(all_names(), Names{"tree"});
  order(kOpenFolder, 2, kDrop);
  EXPECT_EQ(code_of(remove("tree")), ErrorCode::unavailable);
  EXPECT_EQ(all_names(), Names{"tree"});
  EXPECT_EQ(content_of("tree/inner/file"), "123");
  EXPECT_EQ(remove("tree"), kWhole);
  EXPECT_EQ(all_names(), Names());
}

TEST_F(SftpRemovalOrders, ALostAnswerToTheFirstStepChangesNothing) {
  order(kRename, 1, kLose);
  EXPECT_EQ(remove("tree"), kWhole);
  EXPECT_EQ(all_names(), Names());
}

TEST_F(SftpRemovalOrders, ARemovalGoesOnOverAnotherConnection) {
  for (const auto* what : {kDrop, kLose}) {
    fs::create_directories(root_ / "tree/inner");
    put("tree/file", "12345");
    put("tree/inner/file", "123");
    order(kRemove, 2, what);
    EXPECT_EQ(remove("tree"), kWhole);
    EXPECT_EQ(all_names(), Names());
  }
}

TEST_F(SftpRemovalOrders, WhatCannotBeRemovedIsInSightAgain) {
  order(kRemove, 0, kDenied);
  EXPECT_EQ(code_of(remove("tree")), ErrorCode::forbidden);
  EXPECT_EQ(all_names(), Names{"tree"});
  EXPECT_EQ(content_of("tree/file"), "12345");
  order_nothing();
  EXPECT_EQ(remove("tree"), kWhole);
}

TEST_F(SftpRemovalOrders, OneItemThatCannotBeRemovedKeepsNoOther) {
  for (int i = 0; i < 200; ++i) put("tree/inner/" + std::to_string(i), "x");
  order(kRemove, 1, kDenied);
  const auto removed = remove("tree");
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->files, 202U);
  EXPECT_EQ(all_names(), Names());
}

TEST_F(SftpRemovalOrders, WhatTheServerLeavesHalfDoneIsHiddenAndGoesWhenItAnswersAgain) {
  order(kRemove, 1, kDrop);
  const Path root;
  ASSERT_TRUE(run(backend().list(root)));
  order(kInit, 0, kDrop);
  EXPECT_EQ(code_of(remove("tree")), ErrorCode::unavailable);
  EXPECT_EQ(names_on_disk(), Names());
  order_nothing();
  // For a moment the last failure to connect may be what a caller hears.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!all_names().empty() && std::chrono::steady_clock::now() < end) {
    static_cast<void>(run(backend().list(root)));
  }
  EXPECT_EQ(all_names(), Names());
}

TEST_F(SftpRemovalOrders, AFileIsGoneThoughTheAnswerWasLost) {
  put("file", "x");
  order(kRemove, 1, kLose);
  EXPECT_TRUE(remove("file"));
  EXPECT_EQ(all_names(), Names{"tree"});
}

class SftpCopyOrders : public SftpRemovalOrders {
 protected:
  Result<storage::TreeSize> copy(std::string_view from) {
    const Path source = path_of(from);
    const Path target = path_of("copy");
    return run(backend().copy(source, target, {}));
  }
};

TEST_F(SftpCopyOrders, ACopyThatTheServerCouldNotCloseFails) {
  order(kClose, 1, kFailure);
  EXPECT_EQ(code_of(copy("tree/file")), ErrorCode::refused);
  expect_soon({"tree"});
}

TEST_F(SftpCopyOrders, AFileOfUnknownSizeIsNotTakenForAnEmptyOne) {
  leave_out_sizes();
  EXPECT_EQ(code_of(copy("tree/file")), ErrorCode::refused);
  const Path file = path_of("tree/file");
  EXPECT_EQ(code_of(run(backend().open(file))), ErrorCode::refused);
  EXPECT_EQ(all_names(), Names{"tree"});
}

TEST_F(SftpCopyOrders, ABrokenConnectionLeavesNothingOfACopy) {
  for (const auto* kind : {kMakeFolder, kCopyData, kClose}) {
    SCOPED_TRACE(kind);
    order(kind, 2, kLose);
    EXPECT_EQ(code_of(copy("tree")), ErrorCode::unavailable);
    expect_soon({"tree"});
  }
}

TEST_F(SftpCopyOrders, ACopyIsThereThoughTheAnswerWasLost) {
  order(kRename, 1, kLose);
  EXPECT_EQ(copy("tree"), kWhole);
  EXPECT_EQ(all_names(), (Names{"copy", "tree"}));
}

using Writers = std::vector<std::unique_ptr<storage::Writer>>;

class SftpPublishOrders : public SftpOrders {
 protected:
  /// For `a` and `b`, which are there, and `c`, which is not.
  Writers three_writers() {
    for (const auto* name : {"a", "b"}) put(name, "old");
    fs::remove(root_ / "c");
    Writers writers;
    for (const auto* name : {"a", "b", "c"}) {
      writers.push_back(finished_writer(backend(), path_of(name), "new").value());
    }
    return writers;
  }
  /// True if it was published; whatever is said must be so, and nothing else left.
  bool publishes_all_or_nothing(const Writers& writers) {
    const bool published = run(backend().publish(writers, UINT64_MAX)).has_value();
    for (const auto* name : {"a", "b"}) EXPECT_EQ(content_of(name), published ? "new" : "old");
    EXPECT_EQ(names_on_disk(), published ? Names({"a", "b", "c"}) : Names({"a", "b"}));
    return published;
  }
};

/// backends/remote tests a fault at each request; these are one of each kind.
TEST_F(SftpPublishOrders, SeveralWritersAreShownOrTakenBackWhereTheConnectionBreaks) {
  struct Break {
    const char* kind;
    int count;
    const char* what;
  };
  int succeeded = 0;
  int failed = 0;
  for (const auto& [kind, count, what] :
       {Break{kLink, 1, kLose}, Break{kLink, 2, kDrop}, Break{kReplace, 1, kDrop},
        Break{kReplace, 2, kLose}, Break{kRemove, 1, kLose}}) {
    SCOPED_TRACE(std::string(kind) + ' ' + std::to_string(count) + ' ' + what);
    const auto writers = three_writers();
    order_nothing();
    order(kind, count, what);
    publishes_all_or_nothing(writers) ? ++succeeded : ++failed;
  }
  EXPECT_GT(succeeded, 0);
  EXPECT_GT(failed, 0);
}

TEST_F(SftpPublishOrders, TheSameWhereTheOldFileHasToGoAside) {
  for (const auto* what : {kDrop, kLose}) {
    SCOPED_TRACE(what);
    const auto writers = three_writers();
    order_nothing();
    order(kLink, 0, kUnsupported);
    order(kRename, 2, what);
    publishes_all_or_nothing(writers);
  }
}

TEST_F(SftpPublishOrders, ARefusalTakesAllBack) {
  const auto writers = three_writers();
  order(kReplace, 3, kFailure);
  EXPECT_FALSE(publishes_all_or_nothing(writers));
  EXPECT_TRUE(publishes_all_or_nothing(writers));
}

/// The answers to the last two steps are lost with their connections.
TEST_F(SftpPublishOrders, NothingStaysAsideAfterASuccess) {
  const auto writers = three_writers();
  order(kReplace, 3, kLose);
  order(kRemove, 1, kDrop);
  EXPECT_TRUE(publishes_all_or_nothing(writers));
}

}  // namespace
}  // namespace coffer::conformance
