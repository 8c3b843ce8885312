#include "backends/local/log_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "backends/local/log_record.h"
#include "backends/local/size_limit.h"
#include "base/random.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> frame_of(std::string_view payload) {
  std::vector<std::byte> frame(LogFile::kFrameHeadBytes + payload.size());
  std::ranges::copy(std::as_bytes(std::span(payload)), frame.begin() + LogFile::kFrameHeadBytes);
  return frame;
}

std::string text_of(const LogFrame& frame) {
  return {reinterpret_cast<const char*>(frame.payload.data()), frame.payload.size()};
}

class LogFileTest : public testing::Test {
 protected:
  LogFileTest() { fs::create_directories(top_); }
  ~LogFileTest() override { fs::remove_all(top_); }

  std::unique_ptr<LogFile> create() {
    folder_ = Handle(::open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return *LogFile::create(folder_.get(), "log", "this-run");
  }
  static int append(LogFile& log, std::uint64_t sequence, std::string_view payload) {
    auto frame = frame_of(payload);
    return log.append(sequence, frame);
  }
  LogContent content() { return *LogFile::read(folder_.get(), "log"); }
  std::vector<std::string> texts() {
    std::vector<std::string> result;
    for (const LogFrame& frame : content().frames) result.push_back(text_of(frame));
    return result;
  }
  fs::path path() const { return top_ / "log"; }

 private:
  const fs::path top_ = fs::temp_directory_path() / ("coffer-log-" + random_hex(8));
  Handle folder_;
};

using Texts = std::vector<std::string>;

TEST_F(LogFileTest, GivesBackWhatWasAppended) {
  const auto log = create();
  EXPECT_EQ(content().boot, "this-run");
  EXPECT_EQ(texts(), Texts{});
  ASSERT_EQ(append(*log, 7, "one"), 0);
  ASSERT_EQ(append(*log, 9, std::string(300'000, 'x')), 0);
  ASSERT_EQ(append(*log, 10, ""), 0);
  EXPECT_EQ(texts(), (Texts{"one", std::string(300'000, 'x'), ""}));
  EXPECT_EQ(content().frames[1].sequence, 9U);
}

TEST_F(LogFileTest, MayNotExistBefore) {
  const auto log = create();
  const Handle folder(::open(path().parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto second = LogFile::create(folder.get(), "log", "x");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), EEXIST);
}

TEST_F(LogFileTest, ATornFrameEndsIt) {
  const auto log = create();
  ASSERT_EQ(append(*log, 1, "first"), 0);
  const auto torn = static_cast<std::streamoff>(log->used_bytes());
  ASSERT_EQ(append(*log, 2, "second"), 0);
  ASSERT_EQ(append(*log, 3, "third"), 0);
  std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(torn + static_cast<std::streamoff>(LogFile::kFrameHeadBytes)).put('S');
  file.close();
  EXPECT_EQ(texts(), Texts{"first"});
}

TEST_F(LogFileTest, IsReadAsFarAsItGoesWhereItWasCut) {
  const auto log = create();
  ASSERT_EQ(append(*log, 1, "first"), 0);
  const auto cut = log->used_bytes();
  ASSERT_EQ(append(*log, 2, std::string(10'000, 'x')), 0);
  fs::resize_file(path(), cut + 5'000);
  EXPECT_EQ(texts(), Texts{"first"});
  fs::resize_file(path(), cut + 5);
  EXPECT_EQ(texts(), Texts{"first"});
  fs::resize_file(path(), 100);
  EXPECT_EQ(texts(), Texts{});
  EXPECT_EQ(content().boot, "");
}

TEST_F(LogFileTest, WhatWasClearedDoesNotComeBack) {
  const auto log = create();
  for (const char* text : {"a", "b", "c"}) ASSERT_EQ(append(*log, 1, text), 0);
  const auto size = fs::file_size(path());
  ASSERT_EQ(log->clear(), 0);
  EXPECT_EQ(texts(), Texts{});
  EXPECT_EQ(content().boot, "this-run");
  ASSERT_EQ(append(*log, 2, "new"), 0);
  EXPECT_EQ(texts(), Texts{"new"});
  EXPECT_EQ(fs::file_size(path()), size);
}

TEST_F(LogFileTest, AFrameThatTheDiskRefusesIsNotThere) {
  const auto log = create();
  ASSERT_EQ(append(*log, 1, "first"), 0);
  {
    const SizeLimit limit(100'000);
    EXPECT_EQ(append(*log, 2, std::string(200'000, 'x')), EFBIG);
    EXPECT_EQ(texts(), Texts{"first"});
  }
  ASSERT_EQ(append(*log, 3, "third"), 0);
  EXPECT_EQ(texts(), (Texts{"first", "third"}));
}

TEST_F(LogFileTest, AnythingElseIsNoLog) {
  const auto log = create();
  std::ofstream(path(), std::ios::binary) << std::string(10'000, 'x');
  EXPECT_EQ(content().boot, "");
  EXPECT_EQ(texts(), Texts{});
}

TEST(LogRecordTest, IsReadAsItWasWritten) {
  const std::string text = "content";
  LogRecord record;
  record.sequence = 3;
  record.inode = 4;
  record.modified = {5, 6};
  record.path = "a/b";
  record.content = std::as_bytes(std::span(text));
  LogRecord forgotten;
  forgotten.kind = LogRecord::Kind::forgotten;
  forgotten.sequence = 3;
  forgotten.path = "a";
  std::vector<std::byte> bytes;
  append(bytes, record);
  append(bytes, forgotten);
  RecordScan scan(bytes);
  const auto first = scan.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->kind, LogRecord::Kind::content);
  EXPECT_EQ(first->sequence, 3U);
  EXPECT_EQ(first->inode, 4U);
  EXPECT_EQ(first->modified.tv_sec, 5);
  EXPECT_EQ(first->modified.tv_nsec, 6);
  EXPECT_EQ(first->path, "a/b");
  EXPECT_TRUE(std::ranges::equal(first->content, std::as_bytes(std::span(text))));
  const auto second = scan.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->kind, LogRecord::Kind::forgotten);
  EXPECT_EQ(second->path, "a");
  EXPECT_FALSE(scan.next());
}

TEST(LogRecordTest, WhatIsCutIsNoRecord) {
  const std::string text = "content";
  LogRecord record;
  record.path = "a/b";
  record.content = std::as_bytes(std::span(text));
  std::vector<std::byte> bytes;
  append(bytes, record);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    RecordScan scan{std::span(bytes).first(size)};
    EXPECT_FALSE(scan.next()) << size;
  }
}

TEST(LogRecordTest, PathsAreBeneathWholeNamesOnly) {
  EXPECT_TRUE(is_at_or_beneath("a", "a"));
  EXPECT_TRUE(is_at_or_beneath("a/b", "a"));
  EXPECT_TRUE(is_at_or_beneath("a", ""));
  EXPECT_FALSE(is_at_or_beneath("ab", "a"));
  EXPECT_FALSE(is_at_or_beneath("a", "a/b"));
}

}  // namespace
}  // namespace coffer::local
