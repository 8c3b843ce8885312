#include "app/origin.h"

#include <gtest/gtest.h>

namespace coffer::app {
namespace {

TEST(Origin, IsWhatBrowsersSend) {
  for (const char* origin :
       {"https://a.example", "http://localhost:3000", "http://127.0.0.1:8080", "https://[::1]:8443",
        "http://[fe80::1]", "https://xn--bcher-kva.example", "moz-extension://0ab-1", "app://x"}) {
    EXPECT_TRUE(is_origin(origin)) << origin;
  }
}

TEST(Origin, IsNothingElse) {
  for (const char* text : {"",
                           "foo",
                           "*",
                           "null",
                           "a.example",
                           "https://",
                           "https://a.example/",
                           "https://a.example/x",
                           "https://A.example",
                           "HTTPS://a.example",
                           "https://a.example:",
                           "https://a.example:443",
                           "http://a.example:80",
                           "https://a.example:x",
                           "https://a b",
                           "https://[::1",
                           "https://[]",
                           "://a",
                           "https://user@a.example",
                           "https://a.example:123456",
                           "https://*.example"}) {
    EXPECT_FALSE(is_origin(text)) << text;
  }
}

}  // namespace
}  // namespace coffer::app
