#include "http/proxy_watch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

const Timestamp kBegin{std::chrono::hours(1)};

bool is_logged(const ProxyWatch& watch, std::string_view peer) {
  const auto seen = watch.seen();
  const auto found = std::ranges::find(seen, peer, &ProxyWatch::Seen::address);
  return found != seen.end() && found->is_logged;
}

TEST(ProxyWatchTest, CountsTheRequestsOfAPeer) {
  ProxyWatch watch;
  EXPECT_TRUE(watch.seen().empty());
  watch.note("172.17.0.1", kBegin);
  watch.note("172.17.0.1", kBegin + 5s);
  const auto seen = watch.seen();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].address, "172.17.0.1");
  EXPECT_EQ(seen[0].requests, 2U);
  EXPECT_EQ(seen[0].last_at, kBegin + 5s);
}

TEST(ProxyWatchTest, StrangersHideNoProxyNearby) {
  ProxyWatch watch;
  watch.note("10.0.0.1", kBegin);
  for (int i = 0; i < 100; ++i) {
    watch.note("203.0.113." + std::to_string(i), kBegin + std::chrono::seconds(i));
  }
  const auto seen = watch.seen();
  ASSERT_EQ(seen.size(), 9U);
  EXPECT_EQ(seen[0].address, "10.0.0.1");
  EXPECT_EQ(seen.back().address, "203.0.113.99") << "the oldest go";
}

TEST(ProxyWatchTest, LogsEachPeerOnceAndOneAMinute) {
  ProxyWatch watch;
  watch.note("203.0.113.1", kBegin);
  watch.note("203.0.113.2", kBegin + 1s);
  watch.note("127.0.0.1", kBegin + 1s);
  EXPECT_TRUE(is_logged(watch, "203.0.113.1"));
  EXPECT_FALSE(is_logged(watch, "203.0.113.2"));
  EXPECT_TRUE(is_logged(watch, "127.0.0.1"));
  watch.note("203.0.113.2", kBegin + 61s);
  EXPECT_TRUE(is_logged(watch, "203.0.113.2"));
}

}  // namespace
}  // namespace coffer::http
