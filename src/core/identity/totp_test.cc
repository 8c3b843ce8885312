#include "core/identity/totp.h"

#include <gtest/gtest.h>

#include <chrono>

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

const std::string kSecret = "12345678901234567890";

Timestamp at(std::chrono::seconds since_1970) {
  return Timestamp(since_1970);
}

// RFC 4226, appendix D.
TEST(Totp, CodesFollowTheirCounter) {
  const char* const expected[] = {"755224", "287082", "359152", "969429", "338314",
                                  "254676", "287922", "162583", "399871", "520489"};
  for (int step = 0; step < 10; ++step) EXPECT_EQ(totp_code(kSecret, step), expected[step]);
}

// RFC 6238, appendix B: the last six of the eight digits, but for the year 2603.
TEST(Totp, CodesFollowTheTime) {
  const auto code = [](std::chrono::seconds time) {
    return totp_code(kSecret, totp_step(at(time)));
  };
  EXPECT_EQ(code(59s), "287082");
  EXPECT_EQ(code(1111111109s), "081804");
  EXPECT_EQ(code(1111111111s), "050471");
  EXPECT_EQ(code(1234567890s), "005924");
  EXPECT_EQ(code(2000000000s), "279037");
}

TEST(Totp, ACodeHoldsAStepBeforeAndAfter) {
  const std::int64_t step = totp_step(at(1111111111s));
  const std::string code = totp_code(kSecret, step);
  EXPECT_EQ(step_of_code(kSecret, code, at(1111111111s)), step);
  EXPECT_EQ(step_of_code(kSecret, code, at(1111111111s + 30s)), step);
  EXPECT_EQ(step_of_code(kSecret, code, at(1111111111s - 30s)), step);
  EXPECT_FALSE(step_of_code(kSecret, code, at(1111111111s + 60s)));
  EXPECT_FALSE(step_of_code(kSecret, code, at(1111111111s - 60s)));
}

TEST(Totp, WhatIsNoCodeIsNone) {
  const Timestamp time = at(1234567890s);
  EXPECT_TRUE(step_of_code(kSecret, "005924", time));
  EXPECT_TRUE(step_of_code(kSecret, " 005 924 ", time));
  for (const char* wrong : {"", "5924", "0005924", "005925", "00592a", "005924\n", "-05924"}) {
    EXPECT_FALSE(step_of_code(kSecret, wrong, time)) << wrong;
  }
  EXPECT_FALSE(step_of_code("12345678901234567891", "005924", time));
}

TEST(Totp, TheAddressTellsSecretAndAccount) {
  EXPECT_EQ(totp_uri("ann.b-c_1", "GEZDGNBVGY3TQOJQ"),
            "otpauth://totp/Coffer:ann.b-c_1?secret=GEZDGNBVGY3TQOJQ&issuer=Coffer");
}

}  // namespace
}  // namespace coffer::core
