#include "app/listen_address.h"

#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <system_error>

namespace coffer::app {

std::optional<ListenAddress> ListenAddress::parse(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  ListenAddress listen;
  const std::string_view digits = text.substr(colon + 1);
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, listen.port);
  if (digits.empty() || error != std::errc{} || stop != end) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  boost::system::error_code wrong;
  const auto address = boost::asio::ip::make_address(host, wrong);
  if (wrong || address.is_v6() != bracketed) return std::nullopt;
  listen.address = host;
  return listen;
}

std::string ListenAddress::str() const {
  return address.find(':') == std::string::npos ? fmt::format("{}:{}", address, port)
                                                : fmt::format("[{}]:{}", address, port);
}

}  // namespace coffer::app
