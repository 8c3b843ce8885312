#include "storage/partial_name.h"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace coffer::storage {
namespace {

TEST(PartialName, IsKnownAgainAndNeverTheSame) {
  const std::string name = partial_name();
  EXPECT_TRUE(is_partial_name(name));
  EXPECT_NE(name, partial_name());
}

TEST(PartialName, NothingElseIsTakenForOne) {
  ASSERT_TRUE(is_partial_name(".coffer-part-0123456780123456789abcdef"));
  EXPECT_FALSE(is_partial_name(".coffer-part-"));
  EXPECT_FALSE(is_partial_name(".coffer-part-0123456780123456789abcdeg"));
  EXPECT_FALSE(is_partial_name(".coffer-part-0123456780123456789abcdef0"));
  EXPECT_FALSE(is_partial_name("x.coffer-part-0123456780123456789abcdef"));
  EXPECT_FALSE(is_partial_name(""));
}

TEST(PartialName, IsKnownByItsPatternToo) {
  const std::string glob = partial_name_glob();
  EXPECT_EQ(::fnmatch(glob.c_str(), partial_name().c_str(), 0), 0);
  for (const char* other : {".coffer-part-", ".coffer-part-notes", ".coffer-part-*",
                            ".coffer-part-0123456780123456789abcdef0"}) {
    EXPECT_NE(::fnmatch(glob.c_str(), other, 0), 0) << other;
  }
}

TEST(HiddenName, IsOneThatTheProgramMakes) {
  EXPECT_TRUE(is_hidden_name(partial_name()));
  EXPECT_TRUE(is_hidden_name(".coffer-staging"));
  EXPECT_FALSE(is_partial_name(".coffer-staging"));
  EXPECT_TRUE(is_hidden_name(".coffer-folder"));
  for (const char* other :
       {".hidden", ".coffer", "coffer-bin", ".coffers-bin", " .coffer-bin", ".coffer-notes",
        ".coffer-staging2", ".coffer-part-notes", ".coffer-", ""}) {
    EXPECT_FALSE(is_hidden_name(other)) << other;
  }
}

TEST(HiddenName, MayHaveAnyCaseAndWhateverDisksCutOff) {
  for (const char* name : {".Coffer-Bin", ".COFFER-STAGING", ".coffer-bin.", ".coffer-bin  "}) {
    EXPECT_TRUE(is_hidden_name(name)) << name;
    EXPECT_FALSE(is_partial_name(name)) << name;
  }
}

TEST(HiddenName, MayBeFoundUnderAShortOne) {
  for (const char* name : {"COFFER~1", "coffer~9", "COFFE~10", "CO1AF9~1", "COFFER~1."}) {
    EXPECT_TRUE(is_short_hidden_name(name)) << name;
    EXPECT_FALSE(is_hidden_name(name)) << name;
  }
  for (const char* name : {"COFFER", "COFFER~", "COFFER~A", "COFFIN~1", "COFFER~12", "C~1", "~1",
                           "COFFER~1.TXT", "coffer~1~1", ".coffer-bin", ""}) {
    EXPECT_FALSE(is_short_hidden_name(name)) << name;
  }
}

TEST(PartialName, TellsWhichProcessMadeIt) {
  EXPECT_EQ(partial_tag().size(), 9U);
  EXPECT_EQ(partial_tag_of(partial_name()), partial_tag());
  EXPECT_EQ(partial_tag_of(".coffer-part-0123456780123456789abcdef"), "012345678");
  EXPECT_EQ(partial_tag_of("name"), "");
}

TEST(AsideName, BeginsWithTheNameAndIsNeverTheSame) {
  const std::string backup = backup_name("report.txt");
  EXPECT_TRUE(backup.starts_with("report.txt."));
  EXPECT_NE(backup, backup_name("report.txt"));
  EXPECT_FALSE(is_partial_name(backup));
}

TEST(AsideName, HasNoMoreThanANameMayHave) {
  std::string name;
  while (name.size() < 255) name += "€";
  const std::string backup = backup_name(name);
  EXPECT_LE(backup.size(), 255U);
  EXPECT_TRUE(is_utf8(backup));
}

}  // namespace
}  // namespace coffer::storage
