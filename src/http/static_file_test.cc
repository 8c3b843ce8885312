#include "http/static_file.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "async/run.h"

namespace coffer::http {
namespace {

constexpr StaticFile kScript{"/a.js",    "text/javascript", "W/\"1\"",
                             "as it is", "gzipped",         "brotli"};

Response ask(const StaticFile& file, std::vector<Header> headers = {}) {
  Request request;
  request.method = Method::get;
  request.headers = std::move(headers);
  return serve_static_file(request, file);
}

std::string header(const Response& response, std::string_view name) {
  for (const auto& [known, value] : response.headers) {
    if (known == name) return value;
  }
  return {};
}

std::string bytes_of(const Response& response) {
  const auto& body = std::get<ContentBody>(response.body);
  std::string text;
  for (const Stretch& stretch : body.stretches) {
    std::string part(stretch.length, '\0');
    const auto out = std::as_writable_bytes(std::span(part));
    EXPECT_EQ(run(body.content->read(stretch.offset, out)).value(), part.size());
    text += part;
  }
  return text;
}

TEST(StaticFile, IsSentInTheCodingThatTheClientLikesBest) {
  const Response brotli = ask(kScript, {{"Accept-Encoding", "gzip, deflate, br, zstd"}});
  EXPECT_EQ(bytes_of(brotli), "brotli");
  EXPECT_EQ(header(brotli, "Content-Encoding"), "br");
  const Response gzip = ask(kScript, {{"Accept-Encoding", "gzip, br;q=0.5"}});
  EXPECT_EQ(bytes_of(gzip), "gzipped");
  EXPECT_EQ(header(gzip, "Content-Encoding"), "gzip");
  const Response plain = ask(kScript);
  EXPECT_EQ(bytes_of(plain), "as it is");
  EXPECT_EQ(header(plain, "Content-Encoding"), "");
}

TEST(StaticFile, IsSentFromWhereItLies) {
  const Response response = ask(kScript, {{"Accept-Encoding", "br"}});
  const auto& content = *std::get<ContentBody>(response.body).content;
  EXPECT_EQ(content.bytes().value().data(), kScript.brotli.data());
}

TEST(StaticFile, SaysWhatItIs) {
  const Response response = ask(kScript);
  EXPECT_EQ(response.status, 200u);
  EXPECT_EQ(response.content_length(), 8u);
  EXPECT_EQ(header(response, "Content-Type"), "text/javascript");
  EXPECT_EQ(header(response, "ETag"), "W/\"1\"");
  EXPECT_EQ(header(response, "Vary"), "Accept-Encoding");
  EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff");
}

TEST(StaticFile, IsNotSentAgainToWhomHasIt) {
  const Response response = ask(kScript, {{"If-None-Match", "\"0\", W/\"1\""}});
  EXPECT_EQ(response.status, 304u);
  EXPECT_EQ(response.content_length(), 0u);
  EXPECT_EQ(header(response, "ETag"), "W/\"1\"");
  EXPECT_EQ(header(response, "Vary"), "Accept-Encoding");
}

TEST(StaticFile, IsSentAsItIsWherePackingMakesItNoSmaller) {
  constexpr StaticFile kImage{"/a.png", "image/png", "W/\"2\"", "bytes", "", ""};
  const Response response = ask(kImage, {{"Accept-Encoding", "br"}});
  EXPECT_EQ(bytes_of(response), "bytes");
  EXPECT_EQ(header(response, "Content-Encoding"), "");
}

TEST(StaticFile, IsReadAtAnyOffset) {
  const Response response = ask(kScript);
  Content& content = *std::get<ContentBody>(response.body).content;
  std::array<std::byte, 4> out{};
  EXPECT_EQ(content.read_now(6, out), 2u);
  EXPECT_EQ(content.read_now(8, out), 0u);
  EXPECT_EQ(content.read_now(1'000, out), 0u);
  EXPECT_FALSE(content.descriptor());
}

}  // namespace
}  // namespace coffer::http
