#include "backends/local/content_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <thread>

#include "backends/local/handle.h"
#include "base/random.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

class ContentLogTest : public testing::Test {
 protected:
  ContentLogTest() { fs::create_directories(top_); }
  ~ContentLogTest() override { fs::remove_all(top_); }

  std::unique_ptr<ContentLog> make_log(
      std::chrono::steady_clock::duration checkpoint_after = std::chrono::hours(1)) {
    folder_ = Handle(::open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return std::make_unique<ContentLog>(folder_.get(), names_, pool_,
                                        ContentLog::Options{"boot", checkpoint_after});
  }
  static std::optional<ContentLog::Claim> claim(ContentLog& log, std::string_view path) {
    LogRecord record;
    record.path = path;
    const auto claims = log.claim(std::span(&record, 1));
    if (!claims) return std::nullopt;
    return claims->at(0);
  }
  static bool is_stored(ContentLog& log) {
    auto stored = std::make_shared<std::promise<bool>>();
    log.when_stored([stored](bool is_stored) { stored->set_value(is_stored); });
    return stored->get_future().get();
  }

  std::shared_mutex names_;

 private:
  const fs::path top_ = fs::temp_directory_path() / ("coffer-log-" + random_hex(8));
  Pool pool_{1};
  Handle folder_;
};

TEST_F(ContentLogTest, APathIsClaimedOnce) {
  const auto log = make_log();
  const auto first = claim(*log, "a/b");
  ASSERT_TRUE(first);
  EXPECT_FALSE(claim(*log, "a/b"));
  EXPECT_TRUE(claim(*log, "a"));
  EXPECT_TRUE(is_stored(*log));
  EXPECT_TRUE(log->holds(*first));
}

TEST_F(ContentLogTest, AClaimEndsWhenItsPathOrWhatIsAboveChanges) {
  const auto log = make_log();
  const auto file = claim(*log, "a/b");
  const auto deep = claim(*log, "a/b/c");
  const auto other = claim(*log, "ab");
  const std::unique_lock alone(names_);
  EXPECT_EQ(log->release("a/"), std::nullopt);
  EXPECT_EQ(log->release("b"), std::nullopt);
  EXPECT_TRUE(log->holds(*file));
  EXPECT_EQ(log->release("a"), deep->sequence);
  EXPECT_FALSE(log->holds(*file));
  EXPECT_FALSE(log->holds(*deep));
  EXPECT_TRUE(log->holds(*other));
}

TEST_F(ContentLogTest, AnotherClaimOfThePathIsNotTheFirst) {
  const auto log = make_log();
  const auto first = claim(*log, "a");
  const auto mark = log->release("a");
  ASSERT_TRUE(mark);
  const auto second = claim(*log, "a");
  ASSERT_TRUE(second);
  EXPECT_FALSE(log->holds(*first));
  ASSERT_TRUE(log->drop("a", *mark));
  EXPECT_TRUE(log->holds(*second));
  ASSERT_TRUE(log->drop("a", second->sequence));
  EXPECT_TRUE(log->is_empty());
}

TEST_F(ContentLogTest, AClaimEndsWhenItIsSettledButNotWhileNamesAreHeld) {
  const auto log = make_log(std::chrono::seconds(0));
  std::optional<ContentLog::Claim> file;
  {
    const std::shared_lock together(names_);
    file = claim(*log, "a");
    EXPECT_TRUE(is_stored(*log));
    EXPECT_TRUE(log->holds(*file));
  }
  while (!log->is_empty()) std::this_thread::yield();
  EXPECT_FALSE(log->holds(*file));
  EXPECT_TRUE(log->is_open());
  EXPECT_TRUE(claim(*log, "a"));
}

}  // namespace
}  // namespace coffer::local
