#include "http/serve_content.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coffer::http {
namespace {

const std::string kText = "0123456789";
constexpr std::string_view kModified = "Sat, 21 Nov 2026 06:14:09 GMT";

class NoContent final : public Content {
 public:
  Task<Result<std::size_t>> read(std::uint64_t, std::span<std::byte>) override { co_return 0u; }
  std::optional<std::size_t> read_now(std::uint64_t, std::span<std::byte>) override { return 0; }
  std::optional<int> descriptor() const override { return std::nullopt; }
  Task<void> prefetch(std::uint64_t, std::uint64_t) override { co_return; }
};

Response serve(std::vector<Header> headers, std::string_view text = kText,
               Method method = Method::get) {
  Request request;
  request.method = method;
  request.headers = std::move(headers);
  const ContentInfo info{text.size(), "\"e\"", *parse_http_date(kModified), "text/plain",
                         "attachment"};
  return serve_content(request, info, std::make_shared<NoContent>());
}

std::string header(const Response& response, std::string_view name) {
  const auto found =
      std::ranges::find(response.headers, name, &std::pair<std::string, std::string>::first);
  return found == response.headers.end() ? "(none)" : found->second;
}

/// What the body comes to when the content is `text`.
std::string body(const Response& response, std::string_view text = kText) {
  if (const auto* literal = std::get_if<std::string>(&response.body)) return *literal;
  const auto& content = std::get<ContentBody>(response.body);
  std::string out;
  for (const Stretch& stretch : content.stretches) {
    out += stretch.before;
    out += text.substr(stretch.offset, stretch.length);
  }
  return out + content.after;
}

TEST(ServeContent, ServesTheWhole) {
  const Response response = serve({});
  EXPECT_EQ(response.status, 200u);
  EXPECT_EQ(body(response), kText);
  EXPECT_EQ(response.content_length(), 10u);
  EXPECT_EQ(header(response, "ETag"), "\"e\"");
  EXPECT_EQ(header(response, "Last-Modified"), kModified);
  EXPECT_EQ(header(response, "Accept-Ranges"), "bytes");
  EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(header(response, "Content-Type"), "text/plain");
  EXPECT_EQ(header(response, "Content-Disposition"), "attachment");
  EXPECT_EQ(header(response, "Content-Range"), "(none)");
}

TEST(ServeContent, ServesOneRange) {
  const Response response = serve({{"Range", "bytes=2-4"}});
  EXPECT_EQ(response.status, 206u);
  EXPECT_EQ(body(response), "234");
  EXPECT_EQ(response.content_length(), 3u);
  EXPECT_EQ(header(response, "Content-Range"), "bytes 2-4/10");
  EXPECT_EQ(header(response, "Content-Type"), "text/plain");
  EXPECT_EQ(header(response, "Content-Disposition"), "attachment");
  EXPECT_EQ(header(response, "ETag"), "\"e\"");
  EXPECT_EQ(header(serve({{"Range", "bytes=0-"}}), "Content-Range"), "bytes 0-9/10");
}

TEST(ServeContent, ServesJoinedRangesAsOne) {
  const Response response = serve({{"Range", "bytes=3-5,0-3"}});
  EXPECT_EQ(header(response, "Content-Range"), "bytes 0-5/10");
  EXPECT_EQ(body(response), "012345");
}

TEST(ServeContent, ServesSeveralRangesAsMultipart) {
  const Response response = serve({{"Range", "bytes=-1, 0-1"}});
  EXPECT_EQ(response.status, 206u);
  EXPECT_EQ(header(response, "Content-Range"), "(none)");
  const std::string type = header(response, "Content-Type");
  const std::string prefix = "multipart/byteranges; boundary=";
  ASSERT_TRUE(type.starts_with(prefix)) << type;
  const std::string line = "--" + type.substr(prefix.size());
  const std::string part = "\r\nContent-Type: text/plain\r\nContent-Range: bytes ";
  EXPECT_EQ(body(response), line + part + "0-1/10\r\n\r\n01\r\n" + line + part +
                                "9-9/10\r\n\r\n9\r\n" + line + "--\r\n");
  EXPECT_EQ(response.content_length(), body(response).size());
}

TEST(ServeContent, TellsTheSizeWhenNoRangeFits) {
  const Response response = serve({{"Range", "bytes=10-"}});
  EXPECT_EQ(response.status, 416u);
  EXPECT_EQ(header(response, "Content-Range"), "bytes */10");
  EXPECT_EQ(header(response, "ETag"), "\"e\"");
  EXPECT_EQ(header(response, "Content-Type"), "application/json");
  EXPECT_TRUE(body(response).starts_with(R"({"success":false,"error":)"));
}

TEST(ServeContent, IgnoresRangesThatDoNotCount) {
  for (const auto& headers : {std::vector<Header>{{"Range", "bytes=x"}},
                              {{"Range", "bytes=0-1"}, {"Range", "bytes=2-3"}},
                              {{"Range", "bytes=0-1"}, {"If-Range", "\"a\""}},
                              {{"Range", "bytes=99-"}, {"If-Range", "\"a\""}}}) {
    const Response response = serve(headers);
    EXPECT_EQ(response.status, 200u);
    EXPECT_EQ(body(response), kText);
  }
  const Response same = serve({{"Range", "bytes=0-1"}, {"If-Range", "\"e\""}});
  EXPECT_EQ(same.status, 206u);
}

TEST(ServeContent, IgnoresTheRangeOfAHead) {
  const Response response = serve({{"Range", "bytes=0-1"}}, kText, Method::head);
  EXPECT_EQ(response.status, 200u);
  EXPECT_EQ(response.content_length(), 10u);
}

TEST(ServeContent, ServesEmptyContent) {
  const Response whole = serve({}, "");
  EXPECT_EQ(whole.status, 200u);
  EXPECT_EQ(whole.content_length(), 0u);
  EXPECT_EQ(body(whole, ""), "");
  const Response none = serve({{"Range", "bytes=0-"}}, "");
  EXPECT_EQ(none.status, 416u);
  EXPECT_EQ(header(none, "Content-Range"), "bytes */0");
  EXPECT_EQ(serve({{"Range", "bytes=-5"}}, "").status, 200u);
}

TEST(ServeContent, SendsNothingThatTheClientHas) {
  for (const auto& condition :
       {Header{"If-None-Match", "W/\"e\""}, Header{"If-Modified-Since", kModified}}) {
    const Response response = serve({condition, {"Range", "bytes=99-"}});
    EXPECT_EQ(response.status, 304u);
    EXPECT_EQ(body(response), "");
    EXPECT_EQ(header(response, "ETag"), "\"e\"");
    EXPECT_EQ(header(response, "Last-Modified"), kModified);
    EXPECT_EQ(header(response, "Content-Type"), "(none)");
  }
}

TEST(ServeContent, RefusesWhenThePreconditionFails) {
  const Response response = serve({{"If-Match", "\"a\""}, {"Range", "bytes=0-1"}});
  EXPECT_EQ(response.status, 412u);
  EXPECT_TRUE(body(response).starts_with(R"({"success":false,"error":)"));
}

}  // namespace
}  // namespace coffer::http
