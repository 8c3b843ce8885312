#include "base/client_network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>

namespace coffer {

std::string network_of(const std::string& address) {
  constexpr std::size_t kNetworkBytes = 8;
  in6_addr bytes{};
  const std::string without_zone = address.substr(0, address.find('%'));
  if (::inet_pton(AF_INET6, without_zone.c_str(), &bytes) != 1) return address;
  std::fill(std::begin(bytes.s6_addr) + kNetworkBytes, std::end(bytes.s6_addr), 0);
  std::array<char, INET6_ADDRSTRLEN> text{};
  return ::inet_ntop(AF_INET6, &bytes, text.data(), text.size());
}

}  // namespace coffer
