#include "api/answer_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "http/memory_content.h"

namespace coffer::api {
namespace {

const MemoryHolder kAnn{"ann"};

TEST(AnswerMemoryTest, ATextHoldsItsBytesUntilItIsSent) {
  const MemoryRoom room(MemoryRoom::limits_of(1'000'000));
  http::Response large;
  large.body = std::string(300'000, 'x');
  ASSERT_TRUE(hold_text(room, kAnn, large));
  EXPECT_EQ(room.taken(), 300'000u);
  http::Response more;
  more.body = std::string(300'000, 'x');
  EXPECT_EQ(hold_text(room, kAnn, more).error().code, ErrorCode::rate_limited);
  large = {};
  EXPECT_TRUE(hold_text(room, kAnn, more));
}

TEST(AnswerMemoryTest, WhatIsSmallIsNotCounted) {
  const MemoryRoom room(MemoryRoom::limits_of(1));
  http::Response small;
  small.body = std::string(kSmallAnswerBytes, 'x');
  EXPECT_TRUE(hold_text(room, kAnn, small));
  EXPECT_EQ(room.taken(), 0u);
}

TEST(AnswerMemoryTest, AFileWithoutADescriptorHoldsItsBuffers) {
  const MemoryRoom room(MemoryRoom::limits_of(100'000'000));
  const std::string bytes(100'000, 'x');
  http::Response response;
  response.body = http::body_of(bytes);
  ASSERT_TRUE(hold_buffers(room, kAnn, response));
  EXPECT_EQ(room.taken(), 200'000u);
  response.held.reset();
  EXPECT_EQ(room.taken(), 0u);
}

}  // namespace
}  // namespace coffer::api
