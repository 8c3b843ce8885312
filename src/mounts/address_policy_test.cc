#include "mounts/address_policy.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace coffer::mounts {
namespace {

namespace ip = boost::asio::ip;

bool asks(const std::function<bool(const sockaddr&)>& rule, const std::string& text) {
  sockaddr_storage storage{};
  auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
  } else {
    EXPECT_EQ(inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr), 1) << text;
    v6.sin6_family = AF_INET6;
  }
  return rule(reinterpret_cast<const sockaddr&>(storage));
}
bool is_public(const std::string& text) {
  return asks(&is_public_address, text);
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

TEST(AddressPolicy, KeepsThisMachinesOwnPublicAddressesOut) {
  const auto rule = policy_for(false, [] {
    return std::vector{ip::make_address("9.9.9.9"), ip::make_address("2606:4700::1")};
  });
  for (const char* own : {"9.9.9.9", "::ffff:9.9.9.9", "64:ff9b::909:909", "2606:4700::1"}) {
    EXPECT_FALSE(asks(rule, own)) << own;
  }
  for (const char* other : {"1.1.1.1", "9.9.9.10", "2606:4700::2"}) {
    EXPECT_TRUE(asks(rule, other)) << other;
  }
  EXPECT_FALSE(asks(rule, "10.0.0.1"));
}

TEST(AddressPolicy, LetsNothingPassWhereTheOwnAddressesAreUnknown) {
  EXPECT_FALSE(asks(policy_for(false, [] { return std::nullopt; }), "1.1.1.1"));
  EXPECT_FALSE(policy_for(true)) << "all addresses are allowed";
}

TEST(AddressPolicy, TheOwnAddressesAreThoseOfTheInterfaces) {
  const auto own = own_addresses();
  ASSERT_TRUE(own);
  EXPECT_TRUE(std::ranges::find(*own, ip::make_address("127.0.0.1")) != own->end());
}

}  // namespace
}  // namespace coffer::mounts
