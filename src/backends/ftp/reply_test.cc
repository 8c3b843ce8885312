#include "backends/ftp/reply.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace coffer::ftp {
namespace {

ErrorCode code_of(int code, std::string text) {
  return reply_error({code, std::move(text)}, {ErrorCode::invalid, "otherwise"}).code;
}

TEST(Reply, WordsDecideWhereTheCodeSaysTooLittle) {
  EXPECT_EQ(code_of(550, "550 No such file or directory\r\n"), ErrorCode::not_found);
  EXPECT_EQ(code_of(550, "550 The system cannot find the file specified.\r\n"),
            ErrorCode::not_found);
  EXPECT_EQ(code_of(550, "550 Can't create directory: File exists\r\n"), ErrorCode::exists);
  EXPECT_EQ(code_of(550, "550 Permission denied.\r\n"), ErrorCode::forbidden);
  EXPECT_EQ(code_of(550, "550 Access is denied.\r\n"), ErrorCode::forbidden);
  EXPECT_EQ(code_of(550, "550 RNFR command failed.\r\n"), ErrorCode::invalid);
}

TEST(Reply, CodesDecideWhereTheyCan) {
  EXPECT_EQ(code_of(421, "421 No such luck\r\n"), ErrorCode::unavailable);
  EXPECT_EQ(code_of(425, "425 ?\r\n"), ErrorCode::unavailable);
  EXPECT_EQ(code_of(530, "530 Login incorrect.\r\n"), ErrorCode::unavailable);
}

TEST(Reply, WhatIsRefusedForOneItemDoesNotMeanThatTheServerIsDown) {
  for (const auto* reply : {"452 ?", "552 ?", "550 Disk full", "450 Busy", "451 ?", "500 ?",
                            "502 ?", "504 ?", "550 Quota exceeded"}) {
    EXPECT_EQ(code_of(std::atoi(reply), reply), ErrorCode::refused) << reply;
  }
  EXPECT_EQ(code_of(532, "532 ?"), ErrorCode::forbidden);
  for (const int code : {501, 550, 551, 553}) {
    EXPECT_EQ(code_of(code, "?"), ErrorCode::invalid) << "otherwise";
  }
}

TEST(Reply, NothingTheServerSaysGetsIntoAMessage) {
  const auto error = reply_error({550, "550 /secret/place: No such file\r\n"}, {});
  EXPECT_EQ(error.message.find("secret"), std::string::npos);
}

TEST(Features, AreThoseOfFeat) {
  const auto features = Features::parse(
      "230 OK\r\n211-Extensions supported:\r\n UTF8\r\n MFMT\r\n"
      " MLST type*;size*;modify*;UNIX.mode*;\r\n MLSD\r\n211 End.\r\n");
  EXPECT_TRUE(features.mlst && features.mfmt && features.utf8);
}

TEST(Features, AreNoneWithoutFeat) {
  const auto features = Features::parse("220 I know MLST and UTF8 well\r\n502 What?\r\n");
  EXPECT_FALSE(features.mlst || features.mfmt || features.utf8);
}

TEST(Features, MlstIsOfNoUseWithoutItsFacts) {
  EXPECT_FALSE(Features::parse("211-\r\n MLST type*;size;modify*;\r\n211 End\r\n").mlst);
}

}  // namespace
}  // namespace coffer::ftp
