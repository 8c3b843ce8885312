#include "backends/local/content_log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <future>
#include <thread>

#include "backends/local/handle.h"
#include "backends/local/testing/sync_calls.h"
#include "base/random.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

class ContentLogTest : public testing::Test {
 protected:
  ~ContentLogTest() override { fs::remove_all(top_); }

  std::unique_ptr<ContentLog> make_log(
      std::chrono::steady_clock::duration checkpoint_after = std::chrono::hours(1)) {
    return std::make_unique<ContentLog>(open_top(top_),
                                        ContentLog::Options{"", "boot", checkpoint_after});
  }
  std::optional<ContentLog::Claims> claim(ContentLog& log, std::string_view path) {
    return claim(log, path, root_);
  }
  static std::optional<ContentLog::Claims> claim(ContentLog& log, std::string_view path,
                                                 const std::shared_ptr<const Root>& root) {
    LogRecord record;
    record.path = path;
    return log.claim(root, std::span(&record, 1));
  }
  std::shared_ptr<const Root> make_root(const char* name) {
    fs::create_directory(top_ / name);
    return root_of(open_top(top_ / name)).value();
  }
  bool is_stored(ContentLog& log) {
    auto stored = std::make_shared<std::promise<bool>>();
    log.when_stored(pool_, [stored](bool is_stored) { stored->set_value(is_stored); });
    return stored->get_future().get();
  }
  static bool holds(ContentLog& log, const ContentLog::Claims& claims) {
    const bool held = log.begin_showing(claims);
    if (held) log.end_showing(claims);
    return held;
  }

 private:
  const fs::path top_ = [] {
    auto top = fs::temp_directory_path() / ("coffer-log-" + random_hex(8));
    fs::create_directories(top);
    return top;
  }();
  Pool pool_{1};
  const std::shared_ptr<const Root> root_ = root_of(open_top(top_)).value();
};

TEST_F(ContentLogTest, APathIsClaimedOnce) {
  const auto log = make_log();
  const auto first = claim(*log, "/a/b");
  ASSERT_TRUE(first);
  EXPECT_FALSE(claim(*log, "/a/b"));
  EXPECT_TRUE(claim(*log, "/a"));
  EXPECT_TRUE(is_stored(*log));
  EXPECT_TRUE(holds(*log, *first));
}

TEST_F(ContentLogTest, AClaimEndsWhenItsPathOrWhatIsAboveChanges) {
  const auto log = make_log();
  const auto file = claim(*log, "/a/b");
  const auto deep = claim(*log, "/a/b/c");
  const auto other = claim(*log, "/ab");
  const auto beside = log->begin_change("/b");
  EXPECT_TRUE(holds(*log, *file));
  const auto above = log->begin_change("/a");
  EXPECT_FALSE(holds(*log, *file));
  EXPECT_FALSE(holds(*log, *deep));
  EXPECT_TRUE(holds(*log, *other));
  ASSERT_TRUE(log->drop(*above));
  EXPECT_FALSE(log->is_empty());
}

TEST_F(ContentLogTest, NothingIsClaimedWhereNamesAreBeingChanged) {
  const auto log = make_log();
  {
    const auto change = log->begin_change("/a");
    EXPECT_FALSE(claim(*log, "/a"));
    EXPECT_FALSE(claim(*log, "/a/b/c"));
    EXPECT_TRUE(claim(*log, "/ab"));
  }
  EXPECT_TRUE(claim(*log, "/a/b/c"));
}

TEST_F(ContentLogTest, AnotherClaimOfThePathIsNotTheFirst) {
  const auto log = make_log();
  const auto first = claim(*log, "/a");
  auto change = log->begin_change("/a");
  ASSERT_TRUE(log->drop(*change));
  change.reset();
  const auto second = claim(*log, "/a");
  ASSERT_TRUE(second);
  EXPECT_FALSE(holds(*log, *first));
  ASSERT_TRUE(log->drop(*first));
  EXPECT_TRUE(holds(*log, *second));
  ASSERT_TRUE(log->drop(*second));
  EXPECT_TRUE(log->is_empty());
}

TEST_F(ContentLogTest, AFileIsNotTakenForThatOfTheFolderBefore) {
  const auto log = make_log();
  ASSERT_TRUE(claim(*log, "/a"));
  log->begin_change("/a");  // Which fails.
  EXPECT_FALSE(claim(*log, "/a", make_root("another")));
  EXPECT_TRUE(claim(*log, "/a"));
}

TEST_F(ContentLogTest, AChangeWaitsForWhatBeginsToShow) {
  const auto log = make_log();
  const auto file = claim(*log, "/a/b");
  ASSERT_TRUE(log->begin_showing(*file));
  std::promise<void> begun;
  std::atomic<bool> has_shown = false;
  std::jthread changing([&] {
    begun.set_value();
    const auto change = log->begin_change("/a");
    EXPECT_TRUE(has_shown);
  });
  begun.get_future().wait();
  EXPECT_TRUE(claim(*log, "/other"));
  has_shown = true;
  log->end_showing(*file);
}

TEST_F(ContentLogTest, AClaimEndsAtTheCheckpointButNotWhileItsFileBeginsToShow) {
  const auto log = make_log(std::chrono::seconds(0));
  std::optional<ContentLog::Claims> file;
  do file = claim(*log, "/a");
  while (!file || !log->begin_showing(*file));
  EXPECT_TRUE(is_stored(*log));
  EXPECT_FALSE(log->is_empty());
  log->end_showing(*file);
  while (!log->is_empty()) std::this_thread::yield();
  EXPECT_FALSE(holds(*log, *file));
  EXPECT_TRUE(log->is_open());
  EXPECT_TRUE(claim(*log, "/a"));
}

TEST_F(ContentLogTest, WhatWaitsInOnePoolDoesNotHoldAnother) {
  Pool slow{1};
  Pool other{1};
  const auto log = make_log();
  const auto file = claim(*log, "/a");
  std::promise<void> other_done;
  std::promise<void> slow_done;
  log->when_stored(slow, [&](bool) {
    other_done.get_future().wait();
    slow_done.set_value();
  });
  log->when_stored(other, [&](bool) { other_done.set_value(); });
  slow_done.get_future().wait();
}

TEST_F(ContentLogTest, WhatCouldNotBeSettledIsSettledTheNextTime) {
  const auto log = make_log();
  const auto file = claim(*log, "/a");
  EXPECT_TRUE(is_stored(*log));
  {
    using Kind = SyncCalls::Kind;
    const SyncCalls failing([](Kind kind, int) { return kind == Kind::data ? EIO : 0; });
    EXPECT_FALSE(log->drop(*file));
    EXPECT_FALSE(log->is_open());
  }
  EXPECT_TRUE(log->drop(*file));
  EXPECT_TRUE(log->is_open());
  EXPECT_TRUE(log->is_empty());
}

}  // namespace
}  // namespace coffer::local
