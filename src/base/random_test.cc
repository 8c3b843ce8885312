#include "base/random.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace coffer {
namespace {

TEST(Random, UuidsAreVersion4AndDiffer) {
  const std::regex form("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = random_uuid();
    EXPECT_TRUE(std::regex_match(uuid, form)) << uuid;
    EXPECT_TRUE(seen.insert(uuid).second) << uuid;
  }
}

TEST(Random, HexHasTwoDigitsForEachByte) {
  EXPECT_EQ(random_hex(0), "");
  EXPECT_EQ(random_hex(12).size(), 24u);
  EXPECT_NE(random_hex(12), random_hex(12));
}

}  // namespace
}  // namespace coffer
