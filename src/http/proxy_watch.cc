#include "http/proxy_watch.h"

#include <algorithm>

#include "base/log.h"
#include "http/trusted_proxies.h"

namespace coffer::http {
namespace {

constexpr std::size_t kMostPeers = 8;  ///< Of each kind.
constexpr std::chrono::minutes kLogPause{1};

bool is_private(std::string_view text) {
  static const TrustedProxies networks =
      TrustedProxies::parse({"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
                             "169.254.0.0/16", "100.64.0.0/10", "::1", "fc00::/7", "fe80::/10"})
          .value();
  return networks.trusts(text);
}

/// Returns the peer's entry, which may take the place of the one that was seen longest ago.
ProxyWatch::Seen& entry_of(std::vector<ProxyWatch::Seen>& peers, std::string_view peer) {
  const auto found = std::ranges::find(peers, peer, &ProxyWatch::Seen::address);
  if (found != peers.end()) return *found;
  if (peers.size() == kMostPeers) {
    peers.erase(std::ranges::min_element(peers, {}, &ProxyWatch::Seen::last_at));
  }
  return peers.emplace_back(ProxyWatch::Seen{std::string(peer)});
}

}  // namespace

void ProxyWatch::note(std::string_view peer, Timestamp at) {
  {
    const std::lock_guard lock(mutex_);
    Kind& kind = kinds_[is_private(peer) ? 0 : 1];
    Seen& entry = entry_of(kind.peers, peer);
    entry.last_at = at;
    ++entry.requests;
    if (entry.is_logged || at - kind.logged_at < kLogPause) return;
    entry.is_logged = true;
    kind.logged_at = at;
  }
  spdlog::warn(
      "requests come through {}, which trusted_proxies does not name: all that come through it "
      "count as one address",
      peer);
}

std::vector<ProxyWatch::Seen> ProxyWatch::seen() const {
  const std::lock_guard lock(mutex_);
  std::vector<Seen> all = kinds_[0].peers;
  all.insert(all.end(), kinds_[1].peers.begin(), kinds_[1].peers.end());
  return all;
}

}  // namespace coffer::http
