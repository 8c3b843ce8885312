#include "core/archive/cp437.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace coffer::core {
namespace {

TEST(Cp437Test, GivesEveryByteACharacter) {
  EXPECT_EQ(utf8_of_cp437("M\x81ll \x84\x94\xe1 \x9b.txt"), "Müll äöß ¢.txt");
  EXPECT_EQ(utf8_of_cp437("\x80\xdb\xff"), "Ç█\u00a0");
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_TRUE(is_utf8(utf8_of_cp437(all)));
  EXPECT_EQ(count_characters(utf8_of_cp437(all)), 255u);
}

}  // namespace
}  // namespace coffer::core
