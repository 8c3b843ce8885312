#include "app/settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/testing/scratch_folder.h"

namespace coffer::app {
namespace {

class SettingsTest : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& text) {
    const auto path = folder_.path() / "coffer.toml";
    std::ofstream(path) << text;
    return path;
  }
  std::string error_of(const std::string& text) {
    const auto settings = load_settings(file(text), {}, {{"data", "d"}});
    return settings ? "none" : settings.error().message;
  }

  const ScratchFolder folder_;
};

TEST_F(SettingsTest, FlagsOutweighEnvironmentOutweighsFileOutweighsDefaults) {
  const auto path = file("listen = \"1.1.1.1:1\"\nthreads = 3\ndurability = \"relaxed\"\n");
  const auto settings =
      load_settings(path, {{"COFFER_LISTEN", "2.2.2.2:2"}, {"COFFER_THREADS", "4"}},
                    {{"listen", "3.3.3.3:3"}, {"data", "d"}});
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->listen.str(), "3.3.3.3:3");
  EXPECT_EQ(settings->threads, 4u);
  EXPECT_EQ(settings->durability, Durability::relaxed);
  EXPECT_EQ(settings->home_store, HomeStore::files);
  EXPECT_EQ(settings->log_level, LogLevel::info);
}

TEST_F(SettingsTest, UnknownKeysNameTheNearest) {
  EXPECT_NE(error_of("durabilty = \"relaxed\"").find("did you mean \"durability\"?"),
            std::string::npos);
  EXPECT_TRUE(error_of("[section]\nlisten = \"127.0.0.1:1\"").ends_with("no setting \"section\"."));
}

TEST_F(SettingsTest, VariablesThatAreNoSettingsAreIgnoredWithOneWarning) {
  const auto settings = load_settings({},
                                      {{"COFFER_PORT", "tcp://10.0.0.1:80"},
                                       {"COFFER_SERVICE_HOST", "10.0.0.1"},
                                       {"COFFER_LISTN", "x"},
                                       {"OTHER", "x"},
                                       {"COFFER_THREADS", "3"}},
                                      {{"data", "d"}});
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->threads, 3u);
  EXPECT_EQ(settings->warning,
            "The environment has variables that are no settings; they are ignored: COFFER_LISTN "
            "(did you mean COFFER_LISTEN?), COFFER_PORT, COFFER_SERVICE_HOST.");
  EXPECT_EQ(load_settings({}, {{"OTHER", "x"}}, {{"data", "d"}}).value().warning, "");
}

TEST_F(SettingsTest, WrongTypesAndValuesAreRefused) {
  for (const char* bad :
       {"threads = \"two\"", "threads = -1", "access_log = 1", "listen = 8080",
        "listen = \"nowhere:at:all\"", "listen = \"localhost:1\"", "listen = \"127.0.0.1:65536\"",
        "listen = \"::1:80\"", "durability = \"sometimes\"", "home_store = \"disk\"",
        "objects_keep_days = 0", "cors_origins = \"x\"", "cors_origins = [1]",
        "cors_origins = [\"foo\"]",
        "cors_origins = [\"https://a.example\", \"https://a.example/\"]", "idle_timeout_ms = 0",
        "broken", "log_level = 1.5"}) {
    EXPECT_NE(error_of(bad), "none") << bad;
  }
}

TEST_F(SettingsTest, ABasePathHasNoSlashAtItsEndAndNoDots) {
  for (const auto wrong : {"coffer", "/", "/coffer/", "//coffer", "/a//b", "/a/../b", "/a.b",
                           "/a b", "/a%20b", "/a?b", "/a\\\"b", "https://a/b"}) {
    EXPECT_NE(error_of(fmt::format("base_path = \"{}\"", wrong))
                  .find("base_path must be empty or a path such as /coffer"),
              std::string::npos)
        << wrong;
  }
  for (const auto right : {"", "/coffer", "/Team_1/files-2"}) {
    EXPECT_EQ(error_of(fmt::format("base_path = \"{}\"", right)), "none");
  }
}

TEST_F(SettingsTest, TheDataFolderIsRequired) {
  const auto settings = load_settings({}, {}, {});
  ASSERT_FALSE(settings);
  EXPECT_NE(settings.error().message.find("--data"), std::string::npos);
}

TEST_F(SettingsTest, TheFileInTheDataFolderIsReadWhereNoneIsNamed) {
  const auto path = file("bin_days = 5\n");
  const Flags flags{{"data", folder_.path().string()}};
  const auto found = load_settings({}, {}, flags);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->bin_days, 5u);
  EXPECT_EQ(found->file, path);
  EXPECT_EQ(load_settings({}, {{"COFFER_DATA", folder_.path().string()}}, {}).value().bin_days, 5u);
  const auto other = folder_.path() / "other.toml";
  std::ofstream(other) << "audit_days = 7\n";
  EXPECT_EQ(load_settings(other, {}, flags).value().bin_days, 30u);
  file("data = \"elsewhere\"\n");
  EXPECT_EQ(load_settings({}, {}, flags).error().message,
            path.string() + ": data cannot stand in a file of the data folder.");
  std::filesystem::remove(path);
  EXPECT_EQ(load_settings({}, {}, flags).value().bin_days, 30u);
  EXPECT_EQ(load_settings({}, {}, flags).value().file, path);
}

TEST_F(SettingsTest, PrintedSettingsAreReadBack) {
  const auto before = load_settings(
      file("cors_origins = [\"https://a.example\", \"https://b.example\"]\naccess_log = false\n"
           "stop_timeout_ms = 7\ndata = \"with \\\"quotes\\\"\"\n"),
      {}, {});
  ASSERT_TRUE(before) << before.error().message;
  const auto after = load_settings(file(print_settings(*before)), {}, {});
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(print_settings(*after), print_settings(*before));
  EXPECT_EQ(after->cors_origins.size(), 2u);
  EXPECT_EQ(after->data, "with \"quotes\"");
}

}  // namespace
}  // namespace coffer::app
