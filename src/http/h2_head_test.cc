#include "http/h2_head.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace coffer::http {
namespace {

using Fields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

H2Head head_of(Fields fields, std::size_t limit_bytes = 16 * 1024) {
  H2Head head(limit_bytes);
  for (const auto& [name, value] : fields) head.add(name, value);
  return head;
}

/// The refusal by the one or the other parser; 0 if there is none.
unsigned status_of(Fields fields) {
  H2Head head = head_of(fields);
  if (head.refusal()) return head.refusal()->status;
  Request request;
  Framing framing;
  const std::string text = head.take_text(true);
  const auto refusal = parse_head(text, request, framing);
  return refusal ? refusal->status : 0;
}

TEST(H2Head, IsAHeadOfHttp11) {
  H2Head head = head_of({{":method", "GET"},
                         {":scheme", "https"},
                         {":path", "/a?b=c"},
                         {":authority", "example.org:8443"},
                         {"accept", "*/*"}});
  EXPECT_EQ(head.take_text(false),
            "GET /a?b=c HTTP/1.1\r\nhost: example.org:8443\r\naccept: */*\r\n\r\n");
}

TEST(H2Head, JoinsTheCrumbsOfACookie) {
  H2Head head = head_of(
      {{":method", "GET"}, {":path", "/"}, {"cookie", "a=b"}, {"host", "a"}, {"cookie", "c=d"}});
  EXPECT_EQ(head.take_text(false), "GET / HTTP/1.1\r\nhost: a\r\ncookie: a=b; c=d\r\n\r\n");
}

TEST(H2Head, ABodyWithoutALengthIsLikeAChunkedOne) {
  H2Head unknown = head_of({{":method", "PUT"}, {":path", "/"}, {":authority", "a"}});
  EXPECT_EQ(unknown.take_text(true),
            "PUT / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
  H2Head known =
      head_of({{":method", "PUT"}, {":path", "/"}, {":authority", "a"}, {"content-length", "3"}});
  EXPECT_EQ(known.take_text(true), "PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\n");
}

TEST(H2Head, RefusesWhatCouldEndALine) {
  using namespace std::string_view_literals;
  EXPECT_EQ(status_of({{":method", "GET"}, {":path", "/"}, {":authority", "a"}}), 0u);
  for (const auto& bad : {"a\r\nb: c"sv, "a\nb"sv, "a\rb"sv, "a\0b"sv}) {
    EXPECT_EQ(status_of({{":method", "GET"}, {":path", "/"}, {":authority", "a"}, {"x", bad}}),
              400u);
    EXPECT_EQ(status_of({{":method", "GET"}, {":path", bad}, {":authority", "a"}}), 400u);
    EXPECT_EQ(status_of({{":method", bad}, {":path", "/"}, {":authority", "a"}}), 400u);
    EXPECT_EQ(status_of({{":method", "GET"}, {":path", "/"}, {":authority", bad}}), 400u);
    EXPECT_EQ(status_of({{":method", "GET"}, {":path", "/"}, {":authority", "a"}, {bad, "x"}}),
              400u);
  }
  for (const auto& [method, path] :
       Fields{{"GET", "/ HTTP/1.1"}, {"GET /x", "/"}, {"GET", "x"}, {"", "/"}}) {
    EXPECT_EQ(status_of({{":method", method}, {":path", path}, {":authority", "a"}}), 400u) << path;
  }
}

TEST(H2Head, RefusesTwoHosts) {
  EXPECT_EQ(status_of({{":method", "GET"}, {":path", "/"}, {":authority", "a"}, {"host", "A"}}),
            0u);
  EXPECT_EQ(status_of({{":method", "GET"}, {":path", "/"}, {":authority", "a"}, {"host", "b"}}),
            400u);
  EXPECT_EQ(status_of({{":method", "GET"}, {":path", "/"}, {"host", "a"}, {"host", "a"}}), 400u);
  EXPECT_EQ(status_of({{":method", "GET"}, {":path", "/"}}), 400u);
  EXPECT_EQ(status_of({{":method", "CONNECT"}, {":authority", "a:80"}}), 400u);
}

TEST(H2Head, RefusesWhatIsTooLarge) {
  const std::string large(900, 'x');
  EXPECT_FALSE(head_of({{"x", large}}, 1000).refusal());
  EXPECT_EQ(head_of({{"x", large}, {"y", large}}, 1000).refusal()->status, 431u);
  // Each field counts, however small.
  H2Head many(1000);
  for (int i = 0; i < 40; ++i) many.add("x", "");
  EXPECT_EQ(many.refusal()->status, 431u);
}

TEST(H2Head, FieldsOfAResponseHaveSmallLetters) {
  std::string lines = "Content-Type: text/plain\r\nX-Request-Id:  a:B\r\nEmpty: \r\n";
  const auto fields = fields_of(lines);
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0], std::pair(std::string_view("content-type"), std::string_view("text/plain")));
  EXPECT_EQ(fields[1], std::pair(std::string_view("x-request-id"), std::string_view("a:B")));
  EXPECT_EQ(fields[2], std::pair(std::string_view("empty"), std::string_view()));
}

}  // namespace
}  // namespace coffer::http
