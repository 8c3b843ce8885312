#include "http/head_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::http {
namespace {

using State = HeadScanner::State;

struct Head {
  unsigned status = 200;
  Request request;
  Framing framing;
};

/// The head must outlive what is returned.
Head parse(std::string_view head) {
  Head result;
  const auto refusal = parse_head(head, result.request, result.framing);
  if (refusal) result.status = refusal->status;
  return result;
}

Head parse_literal(const char* head) {
  return parse(std::string_view(head));
}

unsigned status_of_target(const std::string& method, const std::string& target) {
  const std::string head = method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
  return parse(head).status;
}

unsigned status_of_lines(const std::string& lines, const std::string& version = "HTTP/1.1") {
  const std::string head = "POST / " + version + "\r\n" + lines + "\r\n";
  return parse(head).status;
}

TEST(HeadScanner, FindsTheEndWhereverTheHeadIsCut) {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string text = head + "GET";
  for (std::size_t at = 0; at <= text.size(); ++at) {
    HeadScanner scanner;
    const auto first = scanner.scan(std::string_view(text).substr(0, at));
    EXPECT_EQ(first, at < head.size() ? State::incomplete : State::complete) << at;
    if (at >= head.size()) continue;
    EXPECT_EQ(scanner.scan(text), State::complete) << at;
    EXPECT_EQ(scanner.size(), head.size());
  }
}

TEST(HeadScanner, SeesABareLineFeedAtOnce) {
  for (const char* text : {"\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\nHost: a\nb", "\r\r\n\n"}) {
    EXPECT_EQ(HeadScanner().scan(text), State::bare_line_feed) << text;
  }
}

TEST(HeadScanner, TellsABlankLineInFront) {
  HeadScanner scanner;
  EXPECT_EQ(scanner.scan("\r\nGET"), State::complete);
  EXPECT_EQ(scanner.size(), 2u);
  scanner.restart();
  EXPECT_EQ(scanner.scan("GET"), State::incomplete);
}

TEST(HeadParser, ReadsLineAndHeaders) {
  const Head head = parse_literal(
      "DELETE /a%20b?c=d?e HTTP/1.1\r\nhost:a:80\r\nX-Empty:\r\nX: \t\xC3\xA4 b \t\r\n\r\n");
  ASSERT_EQ(head.status, 200u);
  EXPECT_EQ(head.request.method, Method::del);
  EXPECT_EQ(head.request.method_text, "DELETE");
  EXPECT_EQ(head.request.path, "/a%20b");
  EXPECT_EQ(head.request.query, "c=d?e");
  EXPECT_EQ(head.request.header("HOST"), "a:80");
  EXPECT_EQ(head.request.header("x-empty"), "");
  EXPECT_EQ(head.request.header("x"), "\xC3\xA4 b");
  EXPECT_EQ(head.request.header("y"), std::nullopt);
  EXPECT_EQ(head.framing.content_length, 0u);
  EXPECT_TRUE(head.framing.keep_alive);
}

TEST(HeadParser, TellsMethodsByCase) {
  EXPECT_EQ(parse_literal("get / HTTP/1.1\r\nHost: a\r\n\r\n").request.method, Method::other);
  EXPECT_EQ(parse_literal("PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n").request.method,
            Method::propfind);
  EXPECT_EQ(parse_literal("REPORT / HTTP/1.1\r\nHost: a\r\n\r\n").request.method, Method::other);
  EXPECT_EQ(parse_literal("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").request.method, Method::options);
}

TEST(HeadParser, ReadsTargetsInOriginAndAbsoluteForm) {
  const Head head = parse_literal("GET HTTP://user.example:8080/a?b HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(head.request.path, "/a");
  EXPECT_EQ(head.request.query, "b");
  EXPECT_EQ(parse_literal("GET http://a?b HTTP/1.1\r\nHost: x\r\n\r\n").request.path, "/");
  for (const char* target : {"/", "//", "/?", "http://a", "https://[::1]:80/", "/a:b@c[d]\"<>|"}) {
    EXPECT_EQ(status_of_target("GET", target), 200u) << target;
  }
  for (const char* target : {"a", "*", "?a", "ftp://a/", "http://", "http:///a", "http://a@b/",
                             "http://a:b/", "/a#b", "/\x7F", "/\xC3\xA4", "/a b", "/a\tb", ""}) {
    EXPECT_EQ(status_of_target("GET", target), 400u) << target;
  }
}

TEST(HeadParser, TakesOneValidHost) {
  for (const char* host :
       {"a", "a,b", "a.b-c_d", "127.0.0.1:80", "a:", "[::1]", "[::1]:80", "[fe80::1%25e]"}) {
    EXPECT_EQ(status_of_lines("Host: " + std::string(host) + "\r\n"), 200u) << host;
  }
  for (const char* host : {"", ":80", "a b", "a:8x", "[]", "[::1", "::1", "[::1]x", "a/b", "a@b"}) {
    EXPECT_EQ(status_of_lines("Host: " + std::string(host) + "\r\n"), 400u) << host;
  }
  EXPECT_EQ(status_of_lines("Host: a\r\nHost: a\r\n"), 400u);
  EXPECT_EQ(status_of_lines(""), 400u);
  EXPECT_EQ(status_of_lines("", "HTTP/1.0"), 200u);
}

TEST(HeadParser, TellsVersions) {
  for (const char* version : {"HTTP/2.0", "HTTP/0.9", "HTTP/9.9"}) {
    EXPECT_EQ(status_of_lines("Host: a\r\n", version), 505u) << version;
  }
  for (const char* version :
       {"HTTP/1", "HTTP/1.10", "HTTP/1,1", "HTTP/x.1", "http/1.1", "HTTPS/1.1"}) {
    EXPECT_EQ(status_of_lines("Host: a\r\n", version), 400u) << version;
  }
}

TEST(HeadParser, FramesBodies) {
  const Head counted = parse_literal("PUT / HTTP/1.1\r\nHost: a\r\ncontent-LENGTH: 0012\r\n\r\n");
  EXPECT_EQ(counted.framing.content_length, 12u);
  EXPECT_FALSE(counted.framing.chunked);
  const Head chunked =
      parse_literal("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n");
  EXPECT_EQ(chunked.status, 200u);
  EXPECT_TRUE(chunked.framing.chunked);
}

TEST(HeadParser, RefusesFramingThatCouldBeReadInTwoWays) {
  for (const char* lines :
       {"Content-Length: 1\r\nContent-Length: 1\r\n", "Content-Length: 1, 1\r\n",
        "Content-Length: -1\r\n", "Content-Length: +1\r\n", "Content-Length: 1 1\r\n",
        "Content-Length: 1.0\r\n", "Content-Length: 0x1\r\n", "Content-Length:\r\n",
        "Content-Length: 18446744073709551616\r\n", "Content-Length : 1\r\n",
        "Transfer-Encoding:\r\n", "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked, chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked;q=1\r\n", "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"}) {
    EXPECT_EQ(status_of_lines("Host: a\r\n" + std::string(lines)), 400u) << lines;
  }
  EXPECT_EQ(status_of_lines("Transfer-Encoding: chunked\r\n", "HTTP/1.0"), 400u);
}

TEST(HeadParser, RefusesMalformedLines) {
  using namespace std::string_literals;
  for (const std::string& line :
       {"X\r\n"s, ":x\r\n"s, "X Y: z\r\n"s, " X: y\r\n"s, "X: y\r\n z\r\n"s, "X: y\rz\r\n"s,
        "X: \0\r\n"s, "X: \x1F\r\n"s, "X: \x7F\r\n"s, "X(: y\r\n"s, "\xC3\xA4: y\r\n"s}) {
    EXPECT_EQ(status_of_lines("Host: a\r\n" + line), 400u) << line;
  }
  for (const char* head : {"", "\r\n\r\n", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: a\r\n",
                           "GET / HTTP/1.1\r\nHost: a\r\n\r\nX: y\r\n\r\n"}) {
    EXPECT_EQ(parse_literal(head).status, 400u) << head;
  }
}

TEST(HeadParser, TellsWhetherTheConnectionIsKept) {
  const auto keeps = [](const std::string& version, const std::string& connection) {
    const std::string head =
        "GET / " + version + "\r\nHost: a\r\nConnection: " + connection + "\r\n\r\n";
    return parse(head).framing.keep_alive;
  };
  EXPECT_TRUE(keeps("HTTP/1.1", "upgrade"));
  EXPECT_FALSE(keeps("HTTP/1.1", "Close"));
  EXPECT_FALSE(keeps("HTTP/1.1", "keep-alive , close"));
  EXPECT_FALSE(keeps("HTTP/1.0", "closed"));
  EXPECT_TRUE(keeps("HTTP/1.0", "Keep-Alive"));
}

TEST(HeadParser, ExpectsContinueOnlyForABody) {
  const auto expects = [](const std::string& version, const std::string& lines) {
    const std::string head =
        "PUT / " + version + "\r\nHost: a\r\nExpect: 100-Continue\r\n" + lines + "\r\n";
    return parse(head).framing.expects_continue;
  };
  EXPECT_TRUE(expects("HTTP/1.1", "Content-Length: 1\r\n"));
  EXPECT_TRUE(expects("HTTP/1.1", "Transfer-Encoding: chunked\r\n"));
  EXPECT_FALSE(expects("HTTP/1.1", "Content-Length: 0\r\n"));
  EXPECT_FALSE(expects("HTTP/1.0", "Content-Length: 1\r\n"));
  EXPECT_EQ(status_of_lines("Host: a\r\nExpect: more\r\n"), 417u);
}

}  // namespace
}  // namespace coffer::http
