#include "backends/remote/server_names.h"

#include <gtest/gtest.h>

namespace coffer::remote {
namespace {

TEST(ServerNames, AreThoseOfTheSet) {
  EXPECT_EQ(from_server(CharacterSet::windows_1252, "caf\xe9"), "café");
  EXPECT_EQ(on_server(CharacterSet::windows_1252, "menu/café €"), "menu/caf\xe9 \x80");
  EXPECT_EQ(from_server(CharacterSet::shift_jis, "\x93\xfa\x96\x7b"), "日本");
  EXPECT_EQ(on_server(CharacterSet::shift_jis, "日本"), "\x93\xfa\x96\x7b");
}

TEST(ServerNames, InUtf8StayAsTheyAre) {
  EXPECT_EQ(from_server(CharacterSet::utf_8, "caf\xe9"), "caf\xe9");
  EXPECT_EQ(on_server(CharacterSet::utf_8, "caf\xe9"), "caf\xe9");
}

TEST(ServerNames, BytesWithoutAMeaningAreNone) {
  EXPECT_EQ(from_server(CharacterSet::shift_jis, "\x93"), std::nullopt);
}

/// NEC's and IBM's character for the same: the path would lead to another item.
TEST(ServerNames, BytesThatDoNotComeBackAreNone) {
  EXPECT_EQ(from_server(CharacterSet::shift_jis, "\xfa\x5b"), std::nullopt);
}

TEST(ServerNames, ACharacterThatTheSetLacksIsTold) {
  const auto refused = on_server(CharacterSet::windows_1252, "menu/日本");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  EXPECT_EQ(refused.error().message, "The server's character set, windows-1252, has no “日”.");
}

}  // namespace
}  // namespace coffer::remote
