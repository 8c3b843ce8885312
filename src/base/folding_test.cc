#include "base/folding.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>

namespace coffer {
namespace {

std::string folded(std::string_view text) {
  std::string out = "what was there";
  fold(text, out);
  return out;
}

boost::json::object pairs() {
  std::stringstream text;
  text << std::ifstream(COFFER_FOLDING_PAIRS).rdbuf();
  return boost::json::parse(text.str()).as_object();
}

TEST(FoldingTest, WhatPeopleTakeForTheSameIsTheSame) {
  const auto all = pairs();
  ASSERT_GE(all.at("same").as_array().size(), 10u);
  for (const auto& pair : all.at("same").as_array()) {
    EXPECT_EQ(folded(pair.at(0).as_string()), folded(pair.at(1).as_string())) << pair;
  }
  for (const auto& pair : all.at("different").as_array()) {
    EXPECT_NE(folded(pair.at(0).as_string()), folded(pair.at(1).as_string())) << pair;
  }
}

TEST(FoldingTest, WhatIsNoTextStays) {
  EXPECT_EQ(folded("A\xFFz"), "a\xFFz");
  EXPECT_EQ(folded(""), "");
}

TEST(FoldingTest, SpellingsThatADirectoryTakesForOneNameAreOne) {
  for (const char* spelling : {"ANN", " ann ", "a nn", "\u00e1nn", "a\u0301nn", "\uff41nn",
                               "\u00aann", "a\u00adnn", "a\u200bnn", "ann\u200d"}) {
    EXPECT_EQ(fold_name(spelling), "ann") << spelling;
  }
  EXPECT_NE(fold_name("anne"), "ann");
  EXPECT_EQ(fold_name("A\xFFz"), "a\xFFz");
  EXPECT_EQ(fold_name(""), "");
}

}  // namespace
}  // namespace coffer
