#include "app/live_settings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/testing/scratch_folder.h"

namespace coffer::app {
namespace {

using Keys = std::vector<std::string>;

class LiveSettingsTest : public ::testing::Test {
 protected:
  LiveSettingsTest() { write("bin_days = 1\n"); }

  void write(const std::string& text) { std::ofstream(file_) << text; }
  Result<Settings> load() const {
    return load_settings(file_, {}, {{"data", folder_.path().string()}});
  }
  core::ServerSetting shown(const std::string& key) const {
    const auto all = live_->settings();
    return *std::ranges::find(all, key, &core::ServerSetting::key);
  }
  void start() {
    live_.emplace(load().value(), [this] { return load(); }, pool_);
  }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "settings.toml";
  Pool pool_{1};
  std::optional<LiveSettings> live_;
};

TEST_F(LiveSettingsTest, TakesAChangeThatStandsAtTwoLooks) {
  start();
  EXPECT_FALSE(live_->look(false));
  write("share_roots = [\"/srv\"]\n");
  EXPECT_FALSE(live_->look(false));
  write("share_roots = [\"/srv\", \"/home\"]\n");
  EXPECT_FALSE(live_->look(false));
  const auto changed = live_->look(false);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->share_roots, (Keys{"/srv", "/home"}));
  EXPECT_EQ(changed->bin_days, 30u);
  EXPECT_FALSE(live_->look(false));
  EXPECT_EQ(shown("share_roots").origin, core::SettingOrigin::file);
  EXPECT_EQ(shown("bin_days").origin, core::SettingOrigin::built_in);
}

TEST_F(LiveSettingsTest, TakesItAtOnceIfTold) {
  start();
  write("share_roots = [\"/srv\"]\n");
  EXPECT_TRUE(live_->look(true));
  EXPECT_FALSE(live_->look(true));
}

TEST_F(LiveSettingsTest, KeepsTheSettingsIfTheFileIsWrong) {
  start();
  EXPECT_EQ(live_->settings_problem(), "");
  write("bin_days = 5\nshare_roots = 3\n");
  EXPECT_FALSE(live_->look(true));
  EXPECT_EQ(live_->settings_problem(), file_.string() + ": share_roots must be a list of texts.");
  EXPECT_EQ(shown("bin_days").value.as_int64(), 1);
  std::filesystem::remove(file_);
  EXPECT_FALSE(live_->look(true));
  EXPECT_NE(live_->settings_problem().find("is not there"), std::string::npos);
  write("bin_days = 1\n");
  EXPECT_FALSE(live_->look(true));
  EXPECT_EQ(live_->settings_problem(), "");
}

TEST_F(LiveSettingsTest, ReadsNothingButAFile) {
  start();
  std::filesystem::remove(file_);
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_FALSE(live_->look(true));
  EXPECT_EQ(live_->settings_problem(), file_.string() + " is no file.");
  std::filesystem::remove(file_);
  write("bin_days = 5\n");
  EXPECT_TRUE(live_->look(true));
  EXPECT_EQ(live_->settings_problem(), "");
}

TEST_F(LiveSettingsTest, NamesWhatWaitsForAStart) {
  start();
  write("bin_days = 5\nthreads = 3\n");
  const auto changed = live_->look(true);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->bin_days, 5u);
  EXPECT_EQ(changed->threads, 0u);
  EXPECT_TRUE(shown("threads").waits);
  EXPECT_FALSE(shown("threads").is_live);
  EXPECT_EQ(shown("threads").value.as_int64(), 0);
  EXPECT_FALSE(shown("bin_days").waits);
  EXPECT_TRUE(shown("bin_days").is_live);
  write("bin_days = 5\n");
  EXPECT_FALSE(live_->look(true));
  EXPECT_FALSE(shown("threads").waits);
}

}  // namespace
}  // namespace coffer::app
