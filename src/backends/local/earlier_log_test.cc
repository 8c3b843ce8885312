#include "backends/local/earlier_log.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "backends/local/status.h"
#include "backends/local/testing/local_fixture.h"
#include "backends/local/testing/size_limit.h"
#include "backends/local/testing/sync_calls.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = 4096;

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// A log file in the form of the version that wrote it, byte by byte.
class LogBytes {
 public:
  explicit LogBytes(std::string_view boot = "another run") {
    bytes_ = "coffer log 2\n";
    bytes_.resize(16);
    bytes_ += "boot=";
    bytes_ += boot;
    bytes_ += '\n';
    bytes_.resize(96);
    bytes_ += kKey;
    bytes_.resize(kBlockBytes);
  }

  void add_frame(std::uint64_t sequence, const std::string& records) {
    std::string hashed;
    append<std::uint64_t>(hashed, sequence);
    append<std::uint64_t>(hashed, records.size());
    hashed += records;
    std::uint64_t hash = 0;
    ::crypto_shorthash(reinterpret_cast<unsigned char*>(&hash),
                       reinterpret_cast<const unsigned char*>(hashed.data()), hashed.size(),
                       reinterpret_cast<const unsigned char*>(kKey.data()));
    append(bytes_, hash);
    bytes_ += hashed;
    bytes_.resize((bytes_.size() + kBlockBytes - 1) / kBlockBytes * kBlockBytes);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  static constexpr std::string_view kKey = "sixteen bytes ok";
  std::string bytes_;
};

/// A data folder in which an earlier version left a log. The fixture's `root` is one of its roots.
class EarlierLogTest : public LocalFixture {
 protected:
  EarlierLogTest() {
    close();
    fs::remove_all(staging());
    fs::create_directories(log());
    fs::create_directories(root() / "folder");
  }

  fs::path log() const { return top() / "content-log"; }
  void leave(const std::string& bytes, const char* name = "contents-1.log") const {
    std::ofstream(log() / name, std::ios::binary) << bytes;
  }
  void leave(std::uint64_t sequence, const std::string& records) const {
    LogBytes log;
    log.add_frame(sequence, records);
    leave(log.bytes());
  }

  /// The record of a file that was stored just now, as it stands on the disk.
  std::string store(const std::string& path, std::string_view content) {
    put(path, content);
    return record(fs::path("root") / path, content, status_at(root() / path).stx_ino);
  }
  std::string record(const fs::path& path, std::string_view content, std::uint64_t inode,
                     std::uint32_t kind = 0) {
    const bool is_outside = path.is_absolute();
    const fs::path root = is_outside ? path.parent_path() : top() / "root";
    const fs::path folder = is_outside ? root : (top() / path).parent_path();
    const Status top_folder = status_at(root);
    std::string out;
    append<std::uint64_t>(out, ++sequence_);
    append<std::uint64_t>(out, inode);
    append<std::int64_t>(out, ::time(nullptr) + 60);
    append<std::uint32_t>(out, 0);
    append<std::uint32_t>(out, static_cast<std::uint32_t>(path.native().size()));
    append<std::uint32_t>(out, static_cast<std::uint32_t>(content.size()));
    append<std::uint32_t>(out, kind);
    out.append(24, '\0');  // The two clocks.
    append<std::uint64_t>(out, status_at(folder).stx_ino);
    append<std::uint64_t>(out, top_folder.stx_ino);
    append<std::int64_t>(out, top_folder.stx_btime.tv_sec);
    append<std::int64_t>(out, top_folder.stx_btime.tv_nsec);
    append<std::uint64_t>(out, is_outside ? root.native().size() : 4);
    return out + path.native() + std::string(content);
  }
  std::string forgotten(const fs::path& path) { return record(path, "", 0, 1); }

  static Status status_at(const fs::path& path) {
    return status_in(AT_FDCWD, path.c_str(), STATX_INO | STATX_BTIME).value_or(Status());
  }
  std::uint64_t last_sequence() const { return sequence_; }
  /// As a log in a new data folder, whose records are counted from 1.
  void begin_anew() { sequence_ = 0; }
  Result<void> recover() const { return recover_earlier_log(top()); }
  void tear(const fs::path& path) const { fs::resize_file(root() / path, 0); }

  /// The contents that were kept beside their places, by the names of their files.
  std::map<std::string, std::string> recovered() const {
    std::map<std::string, std::string> found;
    if (!fs::exists(top() / "recovered")) return found;
    for (const auto& item : fs::recursive_directory_iterator(top() / "recovered")) {
      if (!item.is_regular_file()) continue;
      std::ifstream file(item.path(), std::ios::binary);
      found[item.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return found;
  }
  using Kept = std::map<std::string, std::string>;

 private:
  std::uint64_t sequence_ = 0;
};

TEST_F(EarlierLogTest, FilesThatACrashTookAreWrittenAgainAndTheLogGoes) {
  const auto records = store("folder/gone", "one") + store("torn", "two") +
                       store("whole", "three") + store("empty", "");
  leave(last_sequence(), records);
  fs::remove(root() / "folder/gone");
  fs::remove(root() / "empty");
  tear("torn");
  reopen();
  EXPECT_EQ(content_of("folder/gone"), "one");
  EXPECT_EQ(content_of("torn"), "two");
  EXPECT_EQ(content_of("whole"), "three");
  EXPECT_TRUE(fs::exists(root() / "empty"));
  EXPECT_EQ(recovered(), Kept());
  EXPECT_FALSE(fs::exists(log()));
  EXPECT_FALSE(fs::exists(top() / "content-log.read"));
}

TEST_F(EarlierLogTest, IsReadOnce) {
  leave(1, store("file", "one"));
  ASSERT_TRUE(recover());
  fs::remove(root() / "file");
  ASSERT_TRUE(recover());
  EXPECT_FALSE(fs::exists(root() / "file"));
}

TEST_F(EarlierLogTest, RecordsThatAreVoidAreLeftOutAndTheLastContentOfANameCounts) {
  LogBytes older;
  older.add_frame(2, store("folder/file", "removed with its folder") + store("twice", "old"));
  LogBytes newer;
  newer.add_frame(4, forgotten("root/folder") + store("twice", "new"));
  leave(newer.bytes(), "contents-1.log");
  leave(older.bytes(), "contents-2.log");
  fs::remove(root() / "folder/file");
  fs::remove(root() / "twice");
  ASSERT_TRUE(recover());
  EXPECT_FALSE(fs::exists(root() / "folder/file"));
  EXPECT_EQ(content_of("twice"), "new");
  EXPECT_EQ(recovered(), Kept());
}

TEST_F(EarlierLogTest, ALogThatIsTornAtItsEndIsReadUpToThere) {
  LogBytes bytes;
  bytes.add_frame(1, store("first", "one"));
  const auto begin_of_second = bytes.bytes().size();
  bytes.add_frame(2, store("second", std::string(5000, 'x')));
  for (const std::size_t kept : {begin_of_second, begin_of_second + 10, begin_of_second + 4096}) {
    leave(bytes.bytes().substr(0, kept));
    fs::remove(root() / "first");
    fs::remove(root() / "second");
    ASSERT_TRUE(recover());
    EXPECT_EQ(content_of("first"), "one");
    EXPECT_FALSE(fs::exists(root() / "second"));
    fs::create_directories(log());
  }
}

TEST_F(EarlierLogTest, AFileWhoseMakingWasInterruptedHoldsNothing) {
  leave("");
  leave("coffer log 2\n", "contents-2.log");
  leave(std::string(10'000, '\0'), "waiting-1.log");
  EXPECT_TRUE(recover());
  EXPECT_FALSE(fs::exists(log()));
  EXPECT_EQ(recovered(), Kept());
}

TEST_F(EarlierLogTest, AFileOfAnUnknownFormatIsSavedAndTheOthersAreRead) {
  const std::string unknown = "coffer log 3\n" + std::string(10'000, 'x');
  leave(unknown, "contents-2.log");
  leave(1, store("gone", "one"));
  fs::remove(root() / "gone");
  EXPECT_TRUE(recover());
  EXPECT_EQ(content_of("gone"), "one");
  EXPECT_EQ(recovered(), (Kept{{"contents-2.log", unknown}}));
  EXPECT_FALSE(fs::exists(log()));
  fs::create_directories(log());
  leave(unknown + "other", "contents-2.log");
  EXPECT_TRUE(recover());
  EXPECT_EQ(recovered(),
            (Kept{{"contents-2.log", unknown}, {"contents-2.log-", unknown + "other"}}));
}

TEST_F(EarlierLogTest, AFifoHoldsNothing) {
  ASSERT_EQ(::mkfifo((log() / "waiting-1.log").c_str(), 0600), 0);
  leave(1, store("gone", "one"));
  fs::remove(root() / "gone");
  EXPECT_TRUE(recover());
  EXPECT_EQ(content_of("gone"), "one");
  EXPECT_FALSE(fs::exists(log()));
}

TEST_F(EarlierLogTest, AnotherContentAtTheSavedPathStays) {
  for (const char* content : {"one", "two", "two"}) {
    begin_anew();
    fs::create_directories(log());
    leave(1, record("root/folder/file", content, 1));
    fs::rename(root() / "folder", top() / "away");
    ASSERT_TRUE(recover());
    fs::rename(top() / "away", root() / "folder");
  }
  std::ifstream first(top() / "recovered/1/file");
  std::ifstream second(top() / "recovered/1-/file");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(first), {}), "one");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(second), {}), "two");
  EXPECT_FALSE(fs::exists(top() / "recovered/1--"));
}

/// Thrown in the middle of the reading, as a stop of the machine ends it.
struct Stopped {};

TEST_F(EarlierLogTest, TheNextStartEndsAReadingThatWasInterrupted) {
  bool is_interrupted = true;
  for (int calls = 0; is_interrupted; ++calls) {
    fs::create_directories(log());
    leave(3, store("gone", "one") + store("torn", "two") + store("taken", "three"));
    fs::remove(root() / "gone");
    tear("torn");
    put("other", "theirs");
    fs::rename(root() / "other", root() / "taken");  // An inode of its own, since both were there.
    is_interrupted = false;
    try {
      int left = calls;
      const SyncCalls stopping([&left](SyncCalls::Kind kind, int) {
        if (kind == SyncCalls::Kind::file && left-- == 0) throw Stopped();
        return 0;
      });
      ASSERT_TRUE(recover());
    } catch (const Stopped&) {
      is_interrupted = true;
    }
    ASSERT_TRUE(recover());
    EXPECT_EQ(content_of("gone"), "one");
    EXPECT_EQ(content_of("torn"), "two");
    EXPECT_EQ(content_of("taken"), "theirs");
    EXPECT_EQ(recovered(), (Kept{{"taken", "three"}}));
    EXPECT_FALSE(fs::exists(log()));
    fs::remove_all(top() / "recovered");
    for (const char* name : {"gone", "torn", "taken"}) fs::remove(root() / name);
  }
}

TEST_F(EarlierLogTest, WhereTheMachineDidNotStopNothingIsWritten) {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  LogBytes bytes(boot);
  bytes.add_frame(1, store("file", "one"));
  leave(bytes.bytes());
  fs::remove(root() / "file");
  ASSERT_TRUE(recover());
  EXPECT_FALSE(fs::exists(root() / "file"));
  EXPECT_EQ(recovered(), Kept());
}

TEST_F(EarlierLogTest, ChangesOfOthersStayAndWhatCannotBePutBackIsKept) {
  const auto records =
      store("taken", "one") + store("edited", "two") + store("folder/file", "three");
  leave(last_sequence(), records);
  put("other", "theirs");
  fs::rename(root() / "other", root() / "taken");  // An inode of its own, since both were there.
  put("edited", "theirs, later");
  fs::last_write_time(root() / "edited", fs::file_time_type::clock::now() + std::chrono::hours(1));
  fs::rename(root() / "folder", root() / "moved");
  fs::create_directory(root() / "folder");
  fs::remove(root() / "moved/file");
  ASSERT_TRUE(recover());
  EXPECT_EQ(content_of("taken"), "theirs");
  EXPECT_EQ(content_of("edited"), "theirs, later");
  EXPECT_FALSE(fs::exists(root() / "folder/file"));
  EXPECT_EQ(recovered(), (Kept{{"taken", "one"}, {"file", "three"}}));
}

TEST_F(EarlierLogTest, FilesOfASharedFolderGoBackOrAreKeptIfItsDiskIsNotThere) {
  for (const bool is_there : {true, false}) {
    const fs::path share = fs::canonical(top()) / "share";
    fs::create_directories(share);
    fs::create_directories(log());
    leave(1, record(share / "file", "content", 1));
    if (!is_there) {
      fs::rename(share, top() / "disk");
      fs::create_directory(share);  // As a mount point without its disk.
    }
    ASSERT_TRUE(recover());
    EXPECT_EQ(fs::exists(share / "file"), is_there);
    EXPECT_EQ(recovered(), is_there ? Kept() : (Kept{{"file", "content"}}));
  }
}

TEST_F(EarlierLogTest, AFolderThatTookThePlaceOfARootGetsNothingOfIt) {
  leave(1, store("file", "content"));
  fs::remove(root() / "file");
  fs::rename(root(), top() / "before");
  fs::create_directory(root());
  ASSERT_TRUE(recover());
  EXPECT_FALSE(fs::exists(root() / "file"));
  EXPECT_EQ(recovered(), (Kept{{"file", "content"}}));
}

TEST_F(EarlierLogTest, AStartThatCannotStoreAContentFailsAndLosesNothing) {
  leave(1, store("file", std::string(50'000, 'x')));
  fs::remove(root() / "file");
  {
    const SizeLimit limit(20'000);
    EXPECT_EQ(code_of(LocalStore::open(store_options(), pool_)), ErrorCode::disk_full);
  }
  reopen();
  EXPECT_EQ(content_of("file").size(), 50'000U);
}

}  // namespace
}  // namespace coffer::local
