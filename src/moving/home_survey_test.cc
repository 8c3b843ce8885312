#include "moving/home_survey.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/testing/scratch_folder.h"

namespace coffer::moving {
namespace {

namespace fs = std::filesystem;

class HomeSurveyTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << text;
  }
  std::string only_problem() const {
    const Survey survey = survey_files(folder_.path()).value();
    EXPECT_EQ(survey.problem_count, 1U);
    return survey.problems.empty() ? "" : survey.problems[0];
  }

  const ScratchFolder folder_;
};

TEST_F(HomeSurveyTest, CountsAllFilesAlsoHiddenOnes) {
  write("a/b/file", "12345");
  write(".coffer-bin/0123/x", "123");
  write("empty", "");
  write(".coffer-staging/part", "left out");
  fs::create_directory(folder_.path() / "folder");
  const Survey survey = survey_files(folder_.path()).value();
  EXPECT_EQ(survey.files, 3U);
  EXPECT_EQ(survey.folders, 5U);
  EXPECT_EQ(survey.bytes, 8U);
  EXPECT_EQ(survey.problem_count, 0U);
}

TEST_F(HomeSurveyTest, NamesThatNoRequestCanGiveAreTold) {
  write("a/b\xff", "");
  EXPECT_EQ(only_problem(), "\"a/b\\xff\" has a name that no request can give");
}

TEST_F(HomeSurveyTest, LinksAndPipesAreTold) {
  fs::create_symlink("nowhere", folder_.path() / "link");
  EXPECT_EQ(only_problem(), "\"link\" is a symbolic link");
  fs::remove(folder_.path() / "link");
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(only_problem(), "\"pipe\" is neither a file nor a folder");
}

TEST_F(HomeSurveyTest, SeveralNamesOfOneFileAreTold) {
  const ScratchFolder elsewhere;
  write("one", "text");
  fs::create_hard_link(folder_.path() / "one", elsewhere.path() / "backup");
  EXPECT_EQ(survey_files(folder_.path()).value().problem_count, 0U);
  fs::create_hard_link(folder_.path() / "one", folder_.path() / "two");
  EXPECT_NE(only_problem().find("hard link"), std::string::npos);
}

TEST_F(HomeSurveyTest, FoldersThatLieTooDeepAreTold) {
  fs::path deep = folder_.path();
  for (int i = 0; i < 201; ++i) deep /= "d";
  fs::create_directories(deep);
  EXPECT_EQ(only_problem(), "folders lie more than 200 deep");
}

TEST_F(HomeSurveyTest, TellsNoMoreThanAFew) {
  for (int i = 0; i < 30; ++i) {
    fs::create_symlink("nowhere", folder_.path() / std::to_string(i));
  }
  const Survey survey = survey_files(folder_.path()).value();
  EXPECT_EQ(survey.problem_count, 30U);
  EXPECT_EQ(survey.problems.size(), Survey::kMostProblems);
}

TEST_F(HomeSurveyTest, AMissingFolderFails) {
  EXPECT_EQ(survey_files(folder_.path() / "missing").error().code, ErrorCode::failed);
}

}  // namespace
}  // namespace coffer::moving
