#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "http/body_reader.h"

namespace coffer::http {
namespace {

using State = ChunkDecoder::State;

struct Decoded {
  State state = State::more;
  std::string content;
  std::string rest;  ///< Not taken, once the body is done.
};

Decoded decode(const std::vector<std::string>& pieces) {
  ChunkDecoder decoder;
  Decoded result;
  for (const std::string& piece : pieces) {
    std::string_view input = piece;
    while (!input.empty() && result.state != State::done && result.state != State::broken) {
      const auto step = decoder.step(input);
      result.state = step.state;
      result.content += step.data;
      input.remove_prefix(step.consumed);
    }
    if (result.state == State::done) result.rest += input;
  }
  return result;
}

State state_of(std::string text) {
  return decode({std::move(text)}).state;
}

const std::string kBody =
    "5\r\nhello\r\n1;a=b;c=\"d e\"\r\n \r\n00A\r\n0123456789\r\n0;last\r\nX-Sum: 1 2\r\nY:\r\n\r\n";

TEST(ChunkDecoder, DecodesTheSameContentWhereverTheBodyIsCut) {
  const std::string text = kBody + "GET /";
  std::vector<std::string> bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  std::vector<std::vector<std::string>> cuts = {bytes};
  for (std::size_t at = 0; at <= text.size(); ++at) {
    cuts.push_back({text.substr(0, at), text.substr(at)});
  }
  for (const auto& pieces : cuts) {
    const Decoded decoded = decode(pieces);
    ASSERT_EQ(decoded.state, State::done) << pieces.front();
    ASSERT_EQ(decoded.content, "hello 0123456789");
    ASSERT_EQ(decoded.rest, "GET /");
  }
}

TEST(ChunkDecoder, IsDoneAtTheLastByteAlone) {
  for (std::size_t size = 0; size < kBody.size(); ++size) {
    const State state = state_of(kBody.substr(0, size));
    EXPECT_TRUE(state == State::more || state == State::data) << size;
  }
}

TEST(ChunkDecoder, ReadsSizesInBothCasesUpToTheLargest) {
  EXPECT_EQ(state_of("aB\r\n" + std::string(0xAB, 'x') + "\r\n0\r\n\r\n"), State::done);
  EXPECT_EQ(state_of("ffffffffffffffff\r\nx"), State::data);
  EXPECT_EQ(state_of("0ffffffffffffffff\r\nx"), State::data);
  EXPECT_EQ(state_of("10000000000000000\r\nx"), State::broken);
}

TEST(ChunkDecoder, RefusesMalformedFraming) {
  using namespace std::string_literals;
  for (
      const std::string& text :
      {"\r\n"s,          "g\r\n"s,        "-1\r\n"s,         "+1\r\n"s,      " 1\r\n"s,
       "1 \r\n"s,        "1 ;a\r\n"s,     "0x1\r\n"s,        "1\n"s,         "1\r\r"s,
       ";a\r\n"s,        "1;a\n"s,        "1;\0\r\n"s,       "1;a\rb\r\n"s,  "1\r\nab"s,
       "1\r\na\n"s,      "1\r\na\rb"s,    "0\r\n\n"s,        "0\r\n\rx"s,    "0\r\n:\r\n"s,
       "0\r\nX\r\n"s,    "0\r\nX :\r\n"s, "0\r\n X: y\r\n"s, "0\r\nX: y\n"s, "0\r\nX: y\r\n z\r\n"s,
       "0\r\nX: \0\r\n"s}) {
    EXPECT_EQ(state_of(text), State::broken) << text;
  }
}

TEST(ChunkDecoder, StaysBroken) {
  ChunkDecoder decoder;
  EXPECT_EQ(decoder.step("x").state, State::broken);
  EXPECT_EQ(decoder.step("0\r\n\r\n").state, State::broken);
}

TEST(ChunkDecoder, LimitsSizeLinesAndTrailers) {
  EXPECT_EQ(state_of("1;" + std::string(1000, 'x')), State::more);
  EXPECT_EQ(state_of("1;" + std::string(1100, 'x')), State::broken);
  EXPECT_EQ(state_of(std::string(1100, '0')), State::broken);
  EXPECT_EQ(state_of("0\r\nX: " + std::string(8000, 'x')), State::more);
  EXPECT_EQ(state_of("0\r\nX: " + std::string(8200, 'x')), State::broken);
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "X: 123456\r\n";
  EXPECT_EQ(state_of("0\r\n" + lines), State::broken);
}

}  // namespace
}  // namespace coffer::http
