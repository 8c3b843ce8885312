#include "api/v2/refusal_words.h"

#include <gtest/gtest.h>

#include "base/path.h"

namespace coffer::api::v2 {
namespace {

TEST(RefusalWords, NameWhatTheCodeDoesNotTell) {
  EXPECT_EQ(refusal_word("A folder cannot go into itself."), "into_itself");
  EXPECT_EQ(refusal_word("It is a link."), "is_link");
  EXPECT_EQ(refusal_word("It was created or changed after the task began, and more."),
            "created_since");
  EXPECT_EQ(refusal_word("\"a.zip\": It is encrypted. Encrypted archives cannot be unpacked here."),
            "archive_encrypted");
  EXPECT_EQ(refusal_word("\"odd \\\": name.zip\": It is damaged (no end)."), "archive_damaged");
  EXPECT_EQ(refusal_word("\"a\" in it is left out. It is encrypted. Encrypted items cannot be "
                         "unpacked here."),
            "archive_encrypted");
}

TEST(RefusalWords, NameAnyNameThatIsNone) {
  for (const std::string_view name : {"", "a\nb", "a/b", "..", "\xff"}) {
    const auto made = Name::parse(name);
    ASSERT_FALSE(made);
    EXPECT_EQ(refusal_word(made.error().message), "name_not_allowed") << made.error().message;
  }
}

TEST(RefusalWords, LeaveTheOthersToTheirCode) {
  EXPECT_EQ(refusal_word("The name is taken."), std::nullopt);
  EXPECT_EQ(refusal_word("The name \"a\" is taken."), std::nullopt);
  EXPECT_EQ(refusal_word(""), std::nullopt);
}

}  // namespace
}  // namespace coffer::api::v2
