#include "backends/rclone/engine/address_text.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::rclone {
namespace {

TEST(AddressText, TakesUrlsWithAHost) {
  for (const char* const url :
       {"https://cloud.example.com", "http://10.0.0.1:8080/", "https://[2001:db8::1]:443/dav?x=1",
        "https://example.com/remote.php/dav/files/ann@example.com/Fotos%20ü"}) {
    EXPECT_TRUE(is_url(url)) << url;
  }
}

TEST(AddressText, RefusesWhatProgramsReadInDifferentWays) {
  for (const char* const url : {"",
                                "example.com",
                                "ftp://example.com",
                                "file:///etc/passwd",
                                "HTTPS://example.com",
                                "https://",
                                "https:///path",
                                "https://ann@example.com",
                                "https://ann:x@example.com/",
                                "https://example.com\\@other.example",
                                "https://example.com#@other.example",
                                "https://exa mple.com",
                                "https://example.com/a b",
                                "https://example.com:0",
                                "https://example.com:65536",
                                "https://example.com:",
                                "https://example.com:80:80",
                                "https://[fe80::1%25eth0]/",
                                "https://[::1",
                                "https://[]",
                                "https://exämple.com",
                                "https://%65xample.com",
                                "https://.example.com",
                                "https://?x"}) {
    EXPECT_FALSE(is_url(url)) << url;
  }
}

TEST(AddressText, TellsHostsFromUrls) {
  EXPECT_TRUE(is_host("s3.example.com"));
  EXPECT_TRUE(is_host("localhost:9000"));
  EXPECT_TRUE(is_host("[::1]:9000"));
  EXPECT_FALSE(is_host("https://s3.example.com"));
  EXPECT_FALSE(is_host("s3.example.com/bucket"));
}

TEST(AddressText, FindsTheHost) {
  EXPECT_EQ(host_of("https://x.example:80/a://b"), "x.example");
  EXPECT_EQ(host_of("http://[::1]:80?x"), "::1");
  EXPECT_EQ(host_of("localhost:9000"), "localhost");
  EXPECT_EQ(host_of("x.example/folder://y"), "x.example");
}

TEST(AddressText, ALabelHoldsNoMoreOfAnAddress) {
  EXPECT_TRUE(is_label("eu-central-1"));
  EXPECT_TRUE(is_label(std::string(63, 'a')));
  for (const char* const text : {"", "a.b", "a/b", "127.0.0.1:80/", "a@b", "a#", "a b", "ä"}) {
    EXPECT_FALSE(is_label(text)) << text;
  }
  EXPECT_FALSE(is_label(std::string(64, 'a')));
}

}  // namespace
}  // namespace coffer::rclone
