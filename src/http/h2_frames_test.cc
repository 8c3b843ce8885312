#include "http/h2_frames.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::http {
namespace {

constexpr char kData = 0;
constexpr char kHeaders = 1;
constexpr char kContinuation = 9;
constexpr char kEndHeaders = 4;

std::string frame(char type, char flags, std::size_t size) {
  std::string bytes{0, static_cast<char>(size >> 8), static_cast<char>(size), type, flags, 0, 0, 0,
                    1};
  return bytes + std::string(size, 'x');
}

const std::string kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

TEST(H2FrameScanner, AHeadIsIncompleteUntilItsLastByte) {
  for (const std::string& head :
       {frame(kHeaders, kEndHeaders, 300), frame(kHeaders, 0, 5) + frame(kContinuation, 0, 0) +
                                               frame(kContinuation, kEndHeaders, 7)}) {
    H2FrameScanner scanner;
    scanner.scan(kPreface);
    EXPECT_FALSE(scanner.is_in_head());
    for (std::size_t i = 0; i + 1 < head.size(); ++i) {
      scanner.scan(head.substr(i, 1));
      EXPECT_EQ(scanner.is_in_head(), i >= 8) << i;
    }
    scanner.scan(head.substr(head.size() - 1));
    EXPECT_FALSE(scanner.is_in_head());
  }
}

TEST(H2FrameScanner, AnEmptyFrameCanEndAHead) {
  H2FrameScanner scanner;
  scanner.scan(kPreface + frame(kHeaders, 0, 5));
  EXPECT_TRUE(scanner.is_in_head());
  scanner.scan(frame(kContinuation, kEndHeaders, 0));
  EXPECT_FALSE(scanner.is_in_head());
}

TEST(H2FrameScanner, CountsHeadsThatEnd) {
  H2FrameScanner scanner;
  const std::string head = frame(kHeaders, kEndHeaders, 10);
  scanner.scan(kPreface + head + frame(kData, 0, 5) + head.substr(0, 12));
  EXPECT_EQ(scanner.heads_ended(), 1U);
  scanner.scan(head.substr(12) + head + head.substr(0, 12));
  EXPECT_TRUE(scanner.is_in_head());
  EXPECT_EQ(scanner.heads_ended(), 3U);
}

TEST(H2FrameScanner, OtherFramesArePassedOver) {
  H2FrameScanner scanner;
  scanner.scan(kPreface);
  const std::string data = frame(kData, 0, 20'000);
  scanner.scan(std::string_view(data).substr(0, 15'000));
  EXPECT_FALSE(scanner.is_in_head());
  scanner.scan(data.substr(15'000) + frame(kHeaders, kEndHeaders, 10));
  EXPECT_FALSE(scanner.is_in_head());
}

}  // namespace
}  // namespace coffer::http
