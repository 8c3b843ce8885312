#include <fcntl.h>

#include <algorithm>
#include <mutex>

#include "backends/local/log_file.h"
#include "backends/local/log_record.h"
#include "backends/local/log_recovery.h"
#include "backends/local/size_limit.h"
#include "backends/local/testing/local_fixture.h"
#include "backends/local/testing/sync_calls.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

/// Starts with logs that were left, and what keeps them from being settled.
class RecoveryFaults : public LocalFixture {
 protected:
  RecoveryFaults() { close(); }

  fs::path logs() const { return top() / "content-log"; }
  std::vector<std::string> log_names() const {
    std::vector<std::string> found;
    for (const auto& log : fs::directory_iterator(logs())) {
      found.push_back(log.path().filename().string());
    }
    std::ranges::sort(found);
    return found;
  }
  bool starts() {
    const auto store = LocalStore::open(store_options(), pool_);
    error_ = store ? "" : store.error().message;
    return store.has_value();
  }
  const std::string& error() const { return error_; }

  LogRecord record(std::string_view path, std::string_view content, std::size_t root_bytes) {
    LogRecord record;
    record.sequence = ++sequence_;
    record.modified = {1, 0};
    record.path = path;
    record.root_bytes = root_bytes;
    record.content = std::as_bytes(std::span(content));
    return record;
  }
  LogRecord in_base(std::string_view path, std::string_view content) {
    return record(path, content, std::string_view("root").size());
  }
  static void leave(const fs::path& folder, const char* name,
                    const std::vector<LogRecord>& records) {
    const Handle place = open_top(folder);
    std::vector<std::byte> frame(LogFile::kFrameHeadBytes);
    for (const LogRecord& one : records) append(frame, one);
    auto log = LogFile::create(place.get(), name, "another run").value();
    ASSERT_EQ(log->append(records.back().sequence, frame), 0);
  }

 private:
  std::uint64_t sequence_ = 0;
  std::string error_;
};

TEST_F(RecoveryFaults, AFileThatCannotBeRestoredHoldsUpNoOther) {
  auto bad = in_base("root/bad", "one");
  bad.modified.tv_nsec = 2'000'000'000;  // There is no such time.
  leave(logs(), kLogNames[0], {bad, in_base("root/good", "two")});
  ASSERT_TRUE(starts());
  EXPECT_EQ(content_of("good"), "two");
  const auto waiting = log_names();
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_TRUE(waiting[0].starts_with(kWaitingPrefix));
  fs::remove(root() / "good");
  ASSERT_TRUE(starts());
  EXPECT_EQ(log_names(), waiting);
  EXPECT_FALSE(fs::exists(root() / "good"));
}

TEST_F(RecoveryFaults, ALogThatCannotBeReadIsNamed) {
  fs::create_directory(logs() / kLogNames[0]);
  EXPECT_FALSE(starts());
  EXPECT_NE(error().find((logs() / kLogNames[0]).string()), std::string::npos) << error();
}

TEST_F(RecoveryFaults, AFullDiskDoesNotKeepTheServerFromStartingWithoutAShare) {
  const std::string share = (top() / "share").string();
  const std::string path = share + "/file";
  const std::string content(50'000, 'x');
  leave(logs(), kLogNames[1], {record(path, content, share.size())});
  ASSERT_TRUE(starts());
  const auto waiting = log_names();
  ASSERT_EQ(waiting.size(), 1U);
  {
    const SizeLimit limit(20'000);
    EXPECT_TRUE(starts()) << error();
  }
  EXPECT_EQ(log_names(), waiting);
}

/// Records of a folder that stands, and of one that stood at its path before or after they were
/// made.
class TwoFolders : public RecoveryFaults, public testing::WithParamInterface<bool> {
 protected:
  LogRecord of_standing(LogRecord record, const fs::path& folder) {
    const auto status = status_in(AT_FDCWD, folder.c_str(), STATX_INO | STATX_BTIME);
    record.root = identity_of(*status);
    return record;
  }
  LogRecord of_other(LogRecord record, const fs::path& folder) {
    record = of_standing(record, folder);
    ++record.root.born.tv_nsec;
    return record;
  }
  void leave_both(LogRecord standing, LogRecord other) {
    if (GetParam()) std::swap(standing.sequence, other.sequence);
    std::vector<LogRecord> records = {standing, other};
    std::ranges::sort(records, {}, &LogRecord::sequence);
    leave(logs(), kLogNames[0], records);
  }
};

TEST_P(TwoFolders, OfAShareHideNothingOfEachOther) {
  const fs::path folder = top() / "share";
  fs::create_directory(folder);
  const std::string path = (folder / "file").string();
  const auto bytes = folder.string().size();
  leave_both(of_standing(record(path, "mine", bytes), folder),
             of_other(record(path, "other", bytes), folder));
  ASSERT_TRUE(starts());
  EXPECT_EQ(content_of("../share/file"), "mine");
  EXPECT_EQ(log_names().size(), 1U);
}

TEST_P(TwoFolders, InTheDataFolderGetNothingOfEachOther) {
  leave_both(of_standing(in_base("root/file", "mine"), root()),
             of_other(in_base("root/file", "other"), root()));
  ASSERT_TRUE(starts());
  EXPECT_EQ(content_of("file"), "mine");
  leave(logs(), kLogNames[0],
        {of_standing(in_base("root/new", "mine"), root()),
         of_other(in_base("root/others", "other"), root())});
  ASSERT_TRUE(starts());
  EXPECT_EQ(content_of("new"), "mine");
  EXPECT_FALSE(fs::exists(root() / "others"));
}

INSTANTIATE_TEST_SUITE_P(InBothOrders, TwoFolders, testing::Bool());

/// Which logs there were when their folder was brought to the disk.
class RemovedLogs : public RecoveryFaults, public testing::WithParamInterface<std::size_t> {
 protected:
  std::vector<std::vector<std::string>> seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  int look(SyncCalls::Kind kind, int descriptor) {
    const auto synced = status_of(descriptor, STATX_INO);
    const auto folder = status_in(AT_FDCWD, logs().c_str(), STATX_INO);
    const std::lock_guard lock(mutex_);
    const bool is_meant = kind == SyncCalls::Kind::file && synced->stx_ino == folder->stx_ino;
    if (is_meant) seen_.push_back(log_names());
    return 0;
  }

  std::mutex mutex_;
  std::vector<std::vector<std::string>> seen_;
  const SyncCalls calls_{[this](auto kind, int descriptor) { return look(kind, descriptor); }};
};

TEST_P(RemovedLogs, GoInTheirOrder) {
  const char* older = kLogNames[GetParam()];
  const char* newer = kLogNames[1 - GetParam()];
  const auto file = in_base("root/file", "one");
  auto gone = file;
  gone.kind = LogRecord::Kind::forgotten;
  gone.content = {};
  leave(logs(), older, {file});
  leave(logs(), newer, {gone, in_base("root/other", "two")});
  ASSERT_TRUE(starts());
  EXPECT_EQ(seen(), (std::vector<std::vector<std::string>>{{newer}, {}}));
}

INSTANTIATE_TEST_SUITE_P(OfBothFiles, RemovedLogs, testing::Values(0U, 1U));

}  // namespace
}  // namespace coffer::local
