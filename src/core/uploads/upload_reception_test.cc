#include "core/uploads/upload_reception.h"

#include <gtest/gtest.h>

#include <string_view>

namespace coffer::core {
namespace {

std::string hex_of(DigestKind kind, std::string_view first, std::string_view second) {
  ContentDigest digest(kind);
  digest.add(std::as_bytes(std::span(first)));
  digest.add(std::as_bytes(std::span(second)));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char byte : digest.finish()) {
    const auto value = static_cast<unsigned char>(byte);
    hex += kDigits[value >> 4];
    hex += kDigits[value & 15];
  }
  EXPECT_EQ(hex.size(), 2 * digest_bytes(kind));
  return hex;
}

// FIPS 180-2, appendices A.1 and B.1.
TEST(ContentDigest, IsWhatTheStandardSays) {
  EXPECT_EQ(hex_of(DigestKind::sha1, "a", "bc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex_of(DigestKind::sha256, "ab", "c"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of(DigestKind::sha1, "", ""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

}  // namespace
}  // namespace coffer::core
