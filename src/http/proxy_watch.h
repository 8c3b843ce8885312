#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace coffer::http {

/// Remembers and logs peers that send the headers of a proxy although they are not trusted proxies:
/// all clients behind such a proxy share its address. Anybody can send these headers. So it keeps
/// few peers, loopback and private addresses apart from others, and logs at most one line a minute
/// for each of these kinds. Safe from any thread.
class ProxyWatch {
 public:
  struct Seen {
    std::string address;
    Timestamp last_at{};
    std::uint64_t requests = 0;
    bool is_logged = false;
  };

  /// Notes a request from an IPv4 or IPv6 address.
  void note(std::string_view peer) { note(peer, now()); }
  void note(std::string_view peer, Timestamp at);
  /// Returns the peers, loopback and private addresses first.
  std::vector<Seen> seen() const;

 private:
  struct Kind {
    std::vector<Seen> peers;
    Timestamp logged_at{};
  };

  mutable std::mutex mutex_;
  std::array<Kind, 2> kinds_;  ///< Loopback and private addresses; others.
};

}  // namespace coffer::http
