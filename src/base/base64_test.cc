#include <gtest/gtest.h>

#include "base/encoding.h"

namespace coffer {
namespace {

TEST(Base64, GoesThereAndBack) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo", false), "Zm8");
  EXPECT_EQ(to_base64("\xfb\xff"), "+/8=");
  EXPECT_EQ(from_base64("Zm9vYg=="), "foob");
  EXPECT_EQ(from_base64("Zm9vYg", false), "foob");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* const text : {"Zg", "Zg=", "Z", "Zg==\n", "-_8=", "Zh=="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
  EXPECT_FALSE(from_base64("Zg==", false));
}

}  // namespace
}  // namespace coffer
