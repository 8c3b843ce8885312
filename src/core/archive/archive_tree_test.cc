#include "core/archive/archive_tree.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

TEST(ArchiveNamesTest, NumbersWhatIsTakenInFrontOfTheExtensionOfAFile) {
  ArchiveNames names;
  EXPECT_EQ(names.take_file("photo.jpg"), "photo.jpg");
  EXPECT_EQ(names.take_file("photo.jpg"), "photo (2).jpg");
  EXPECT_EQ(names.take_folder("photo.jpg"), "photo.jpg (2)");
  EXPECT_EQ(names.take_file("photo (2).jpg"), "photo (2) (2).jpg");
  EXPECT_EQ(names.take_file("photo.jpg"), "photo (3).jpg");
  EXPECT_EQ(names.take_file(".profile"), ".profile");
  EXPECT_EQ(names.take_file(".profile"), ".profile (2)");
}

TEST(ArchiveNamesTest, ManyOfOneNameAreNumberedInOrder) {
  ArchiveNames names;
  EXPECT_EQ(names.take_file("a (3).txt"), "a (3).txt");
  EXPECT_EQ(names.take_file("a.txt"), "a.txt");
  EXPECT_EQ(names.take_file("a.txt"), "a (2).txt");
  for (int number = 4; number < 100'000; ++number) {
    ASSERT_EQ(names.take_file("a.txt"), "a (" + std::to_string(number) + ").txt");
  }
}

TEST(ArchiveReportTest, CountsWhatIsTooMuchToTell) {
  ArchiveReport report;
  EXPECT_TRUE(report.is_empty());
  report.add("a/b", "It is gone.");
  EXPECT_FALSE(report.is_empty());
  EXPECT_NE(report.text().find("\na/b: It is gone.\n"), std::string::npos);
  for (int i = 0; i < 100'000; ++i) report.add("a/b", "It is gone.");
  EXPECT_LT(report.text().size(), 300'000u);
  EXPECT_NE(report.text().find("more such items"), std::string::npos);
}

}  // namespace
}  // namespace coffer::core
