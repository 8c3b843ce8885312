#include "base/client_network.h"

#include <gtest/gtest.h>

namespace coffer {
namespace {

TEST(ClientNetwork, OfIpv6IsWhatItsHolderHas) {
  EXPECT_EQ(network_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
  EXPECT_EQ(network_of("2001:db8:1:2::"), network_of("2001:db8:1:2:ffff::1"));
  EXPECT_NE(network_of("2001:db8:1:2::1"), network_of("2001:db8:1:3::1"));
  EXPECT_EQ(network_of("fe80::1%eth0"), "fe80::");
}

TEST(ClientNetwork, OfAnyOtherTextIsTheText) {
  for (const char* text : {"192.0.2.7", "", "unix"}) EXPECT_EQ(network_of(text), text);
}

}  // namespace
}  // namespace coffer
