#include "http/trusted_proxies.h"

#include <gtest/gtest.h>

namespace coffer::http {
namespace {

TrustedProxies::Client client_of(const std::vector<std::string>& networks, std::string_view peer,
                                 std::vector<Header> headers) {
  Request request;
  request.headers = std::move(headers);
  return TrustedProxies::parse(networks).value().client_of(peer, request);
}

TEST(TrustedProxiesTest, NoOneIsBelievedWithoutASetting) {
  const auto client = client_of(
      {}, "192.0.2.1", {{"X-Forwarded-For", "203.0.113.9"}, {"X-Forwarded-Proto", "https"}});
  EXPECT_EQ(client.address, "192.0.2.1");
  EXPECT_FALSE(client.is_secure);
  EXPECT_FALSE(client.is_by_proxy);
}

TEST(TrustedProxiesTest, AProxyNamesItsClient) {
  const auto client =
      client_of({"192.0.2.0/24"}, "192.0.2.1",
                {{"x-forwarded-for", "203.0.113.9"}, {"x-forwarded-proto", "HTTPS"}});
  EXPECT_EQ(client.address, "203.0.113.9");
  EXPECT_TRUE(client.is_secure);
  EXPECT_TRUE(client.is_by_proxy);
}

TEST(TrustedProxiesTest, TheNearestThatIsNoProxyCounts) {
  const std::vector<std::string> trusted{"192.0.2.0/24", "2001:db8::1"};
  EXPECT_EQ(
      client_of(trusted, "2001:db8::1",
                {{"X-Forwarded-For", "10.9.8.7, 203.0.113.9"}, {"X-Forwarded-For", " 192.0.2.77"}})
          .address,
      "203.0.113.9")
      << "what a client wrote itself stands in front of it";
  EXPECT_EQ(client_of(trusted, "192.0.2.1", {{"X-Forwarded-For", "192.0.2.5"}}).address,
            "192.0.2.5");
  EXPECT_EQ(client_of(trusted, "192.0.2.1", {{"X-Forwarded-For", "203.0.113.9, unknown"}}).address,
            "192.0.2.1");
  EXPECT_EQ(client_of(trusted, "192.0.2.1", {}).address, "192.0.2.1");
}

TEST(TrustedProxiesTest, MappedAddressesAreThatOfIPv4) {
  const auto client =
      client_of({"192.0.2.1"}, "::ffff:192.0.2.1", {{"X-Forwarded-For", "::ffff:203.0.113.9"}});
  EXPECT_EQ(client.address, "203.0.113.9");
}

TEST(TrustedProxiesTest, HeadersOfAProxyThatIsNotTrustedAreNoticed) {
  for (const std::string name : {"X-Forwarded-For", "x-forwarded-proto", "FORWARDED"}) {
    const std::vector<Header> headers{{"Host", "a"}, {name, "203.0.113.9"}};
    EXPECT_TRUE(client_of({}, "192.0.2.1", headers).has_ignored_headers) << name;
    EXPECT_TRUE(client_of({"192.0.2.7"}, "192.0.2.1", headers).has_ignored_headers) << name;
    EXPECT_FALSE(client_of({"192.0.2.1"}, "192.0.2.1", headers).has_ignored_headers) << name;
  }
  EXPECT_FALSE(client_of({}, "192.0.2.1", {{"Forwarded-By", "a"}}).has_ignored_headers);
}

TEST(TrustedProxiesTest, WhatIsNoNetworkIsNamed) {
  for (const std::string text : {"proxy", "192.0.2.0/33", "2001:db8::/129", "192.0.2", ""}) {
    const auto refused = TrustedProxies::parse({text});
    ASSERT_FALSE(refused) << text;
    EXPECT_NE(refused.error().message.find('"' + text + '"'), std::string::npos);
  }
}

}  // namespace
}  // namespace coffer::http
