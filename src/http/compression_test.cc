#include "http/compression.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

namespace coffer::http {
namespace {

Coding chosen(std::vector<std::string_view> values) {
  Request request;
  for (const std::string_view value : values) request.headers.push_back({"accept-encoding", value});
  return choose_coding(request);
}

TEST(ChooseCoding, TakesWhatTheClientLikesBest) {
  EXPECT_EQ(chosen({}), Coding::identity);
  EXPECT_EQ(chosen({""}), Coding::identity);
  EXPECT_EQ(chosen({"br, deflate"}), Coding::identity);
  EXPECT_EQ(chosen({"gzip"}), Coding::gzip);
  EXPECT_EQ(chosen({"GZIP, deflate, br, zstd"}), Coding::zstd);
  EXPECT_EQ(chosen({"deflate", "x-gzip"}), Coding::gzip);
  EXPECT_EQ(chosen({"*"}), Coding::zstd);
  EXPECT_EQ(chosen({"zstd;q=0.5, gzip;q=0.501"}), Coding::gzip);
  EXPECT_EQ(chosen({"zstd; q=1.000 ,gzip;Q=0.9"}), Coding::zstd);
}

TEST(ChooseCoding, TakesNoneThatTheClientRefuses) {
  EXPECT_EQ(chosen({"gzip;q=0"}), Coding::identity);
  EXPECT_EQ(chosen({"gzip;q=0.000, *;q=0"}), Coding::identity);
  EXPECT_EQ(chosen({"*, zstd;q=0"}), Coding::gzip);
  EXPECT_EQ(chosen({"gzip;q=2, zstd;quality=1, identity"}), Coding::identity);
  EXPECT_EQ(chosen({"gzip;q=x"}), Coding::identity);
  EXPECT_EQ(chosen({";;;,,q=1"}), Coding::identity);
}

Response compressed(std::string text, Coding coding) {
  Response response;
  response.body = std::move(text);
  compress(response, coding);
  return response;
}

bool has(const Response& response, std::string_view name, std::string_view value) {
  return std::ranges::any_of(response.headers, [&](const auto& header) {
    return header.first == name && header.second == value;
  });
}

std::string text_of_lines() {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "line " + std::to_string(i * 7919) + '\n';
  return text;
}

TEST(Compress, PacksTexts) {
  const std::string text = text_of_lines();
  const Response gzip = compressed(text, Coding::gzip);
  EXPECT_TRUE(has(gzip, "Content-Encoding", "gzip") && has(gzip, "Vary", "Accept-Encoding"));
  const auto& packed = std::get<std::string>(gzip.body);
  EXPECT_LT(packed.size(), text.size() / 2);
  std::string again(text.size(), '\0');
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(again.data());
  stream.avail_out = static_cast<uInt>(again.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  EXPECT_EQ(again, text);

  const Response zstd = compressed(text, Coding::zstd);
  EXPECT_TRUE(has(zstd, "Content-Encoding", "zstd"));
  const auto& frame = std::get<std::string>(zstd.body);
  EXPECT_EQ(ZSTD_decompress(again.data(), again.size(), frame.data(), frame.size()), text.size());
  EXPECT_EQ(again, text);
}

TEST(Compress, LeavesShortTextsAsTheyAre) {
  for (const std::string& text : {std::string(), std::string(1023, 'x')}) {
    const Response response = compressed(text, Coding::gzip);
    EXPECT_EQ(std::get<std::string>(response.body), text);
    EXPECT_FALSE(has(response, "Content-Encoding", "gzip"));
    EXPECT_TRUE(has(response, "Vary", "Accept-Encoding"));
  }
  EXPECT_EQ(std::get<std::string>(compressed(std::string(2000, 'x'), Coding::identity).body),
            std::string(2000, 'x'));
}

}  // namespace
}  // namespace coffer::http
