#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coffer::app {

struct ListenAddress {
  std::string address = "127.0.0.1";  ///< IPv4 or IPv6, without brackets.
  std::uint16_t port = 8080;

  /// Parses `address:port`, with an IPv6 address in brackets; nullopt for any other text.
  static std::optional<ListenAddress> parse(std::string_view text);
  /// Returns the address as text that `parse` accepts.
  std::string str() const;
  bool operator==(const ListenAddress&) const = default;
};

}  // namespace coffer::app
