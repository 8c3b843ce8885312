#include "backends/rclone/confinement/confined_engine.h"

#include <gtest/gtest.h>
#include <netinet/in.h>

#include "async/run.h"

namespace coffer::rclone {
namespace {

bool none(const sockaddr& /*address*/) {
  return false;
}

bool all(const sockaddr& /*address*/) {
  return true;
}

RemoteConfig dav(const std::string& url) {
  return {"webdav", {{"url", url}, {"vendor", "other"}}};
}

TEST(PublicOnly, LeavesNamesToTheProxy) {
  EXPECT_TRUE(check_hosts(dav("https://cloud.example.org/dav"), none));
  EXPECT_TRUE(check_hosts({"s3", {{"endpoint", "s3.example.org"}}}, none));
}

TEST(PublicOnly, RefusesLiteralAddressesThatMayNotBeConnectedTo) {
  for (const char* host : {"127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "[::1]", "10.0.0.1"}) {
    const std::string url = "https://" + std::string(host) + ":8443/";
    const auto refused = check_hosts(dav(url), none);
    ASSERT_FALSE(refused) << host;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
    EXPECT_TRUE(check_hosts(dav(url), all)) << host;
  }
  EXPECT_FALSE(check_hosts({"s3", {{"endpoint", "169.254.169.254"}}}, none));
}

TEST(PublicOnly, AsksForTheVeryAddress) {
  const auto is_documentation = [](const sockaddr& address) {
    return address.sa_family == AF_INET &&
           reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr == htonl(0xcb007101);
  };
  EXPECT_TRUE(check_hosts(dav("https://203.0.113.1/"), is_documentation));
  EXPECT_FALSE(check_hosts(dav("https://203.0.113.2/"), is_documentation));
}

TEST(PublicOnly, RefusesThisMachineByName) {
  for (const char* host : {"localhost", "LocalHost", "localhost.", "a.localhost"}) {
    EXPECT_FALSE(check_hosts(dav("https://" + std::string(host) + "/"), all)) << host;
  }
}

TEST(PublicOnly, WantsHttps) {
  const auto refused = check_hosts(dav("http://cloud.example.org/secret"), all);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "Give the option url with https://.");
}

TEST(PublicOnly, AnEngineWithAnObstacleNeverStarts) {
  RcloneProcess engine(
      {.folder = "nowhere", .obstacle = Error{ErrorCode::unavailable, "Not here."}});
  const auto run = coffer::run(engine.running());
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::unavailable);
  EXPECT_EQ(run.error().message, "Not here.");
}

}  // namespace
}  // namespace coffer::rclone
