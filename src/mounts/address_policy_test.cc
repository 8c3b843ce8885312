#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <string>

#include "mounts/remote_access.h"

namespace coffer::mounts {
namespace {

bool is_public(const std::string& text) {
  sockaddr_storage storage{};
  auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
  } else {
    EXPECT_EQ(inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr), 1) << text;
    v6.sin6_family = AF_INET6;
  }
  return is_public_address(reinterpret_cast<const sockaddr&>(storage));
}

TEST(AddressPolicy, LetsPublicAddressesPass) {
  for (const char* text :
       {"1.1.1.1", "9.255.255.255", "11.0.0.0", "172.15.0.1", "172.32.0.1", "192.167.0.1",
        "223.255.255.255", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"}) {
    EXPECT_TRUE(is_public(text)) << text;
  }
}

TEST(AddressPolicy, KeepsOthersOut) {
  for (const char* text : {"0.0.0.0",
                           "10.1.2.3",
                           "100.64.0.1",
                           "127.0.0.1",
                           "127.255.255.254",
                           "169.254.169.254",
                           "172.16.0.1",
                           "172.31.255.255",
                           "192.168.1.1",
                           "224.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "fe80::1",
                           "fc00::1",
                           "fd12::1",
                           "ff02::1",
                           "::ffff:127.0.0.1",
                           "::ffff:10.0.0.1",
                           "::127.0.0.1",
                           "64:ff9b::7f00:1",
                           "2001:db8::1",
                           "2002:7f00:1::"}) {
    EXPECT_FALSE(is_public(text)) << text;
  }
}

}  // namespace
}  // namespace coffer::mounts
