#include "core/transfer/name_not_moved.h"

#include <gmock/gmock.h>

#include <string>

#include "base/text.h"

namespace coffer::core {
namespace {

using testing::MatchesRegex;

TEST(NameNotMoved, IsTheNameWithMoreBehindIt) {
  EXPECT_THAT(name_not_moved("photos").str(), MatchesRegex("photos \\(not moved [0-9a-f]{8}\\)"));
  EXPECT_NE(name_not_moved("photos"), name_not_moved("photos"));
}

TEST(NameNotMoved, FitsWhateverTheNameIs) {
  for (const std::string character : {"x", "\u00e9", "\u20ac", "\U0001f44d"}) {
    for (const std::string before : {"", "a", "ab", "abc"}) {
      std::string name = before;
      while (name.size() + character.size() <= 255) name += character;
      const auto beside = name_not_moved(name);
      EXPECT_LE(beside.str().size(), 143U);
      EXPECT_GT(beside.str().size(), 139U);
      EXPECT_TRUE(is_utf8(beside.str()));
    }
  }
}

}  // namespace
}  // namespace coffer::core
