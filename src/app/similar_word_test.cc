#include "app/similar_word.h"

#include <gtest/gtest.h>

namespace coffer::app {
namespace {

TEST(SimilarWordTest, ATypoHasANearWord) {
  EXPECT_EQ(similar_word("serv", {"account", "serve"}), "serve");
  EXPECT_EQ(similar_word("ad", {"list", "ls", "add", "set"}), "add");
  EXPECT_EQ(similar_word("--verison", {"--help", "--version"}), "--version");
}

TEST(SimilarWordTest, ABeginningHasTheWholeWord) {
  EXPECT_EQ(similar_word("header_timeout", {"listen", "header_timeout_ms"}), "header_timeout_ms");
  EXPECT_EQ(similar_word("dura", {"data", "durability"}), "durability");
  EXPECT_EQ(similar_word("no", {"connector", "nonsense"}), "");
}

TEST(SimilarWordTest, AnotherWordHasNone) {
  EXPECT_EQ(similar_word("nonsense", {"account", "serve"}), "");
  EXPECT_EQ(similar_word("-x", {"rm", "ls"}), "");
  EXPECT_EQ(similar_word("serv", {}), "");
}

}  // namespace
}  // namespace coffer::app
