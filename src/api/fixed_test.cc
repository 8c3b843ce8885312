#include "api/fixed.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "async/run.h"

namespace coffer::api {
namespace {

http::Response ask(const http::Router& router, std::string_view coding) {
  http::Request request;
  request.method = http::Method::get;
  request.headers.push_back({"Accept-Encoding", coding});
  const auto match = std::get<http::Router::Match>(router.find(http::Method::get, "/fixed"));
  return run((*match.handler)(request));
}

std::string_view bytes_of(const http::Response& response) {
  return std::get<http::ContentBody>(response.body).content->bytes().value();
}

TEST(Fixed, EveryRequestIsAnsweredFromTheSameMemory) {
  http::Router router;
  int made = 0;
  add_fixed(router, "/fixed", [&made] {
    ++made;
    http::Response response;
    response.headers.emplace_back("Content-Type", "text/plain");
    response.body = std::string(100'000, 'x');
    return response;
  });
  for (const std::string_view coding : {"identity", "gzip", "zstd"}) {
    const http::Response first = ask(router, coding);
    const http::Response second = ask(router, coding);
    EXPECT_EQ(bytes_of(first).data(), bytes_of(second).data());
    EXPECT_EQ(first.content_length(), bytes_of(first).size());
    EXPECT_EQ(first.headers, second.headers);
  }
  EXPECT_EQ(bytes_of(ask(router, "identity")), std::string(100'000, 'x'));
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace coffer::api
