#include "mounts/remote_access.h"

#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <cstring>
#include <utility>

#include "backends/oauth/code_exchange.h"
#include "backends/rclone/confinement/confined_engine.h"
#include "backends/rclone/engine/remote_control.h"
#include "base/disk.h"
#include "storage/remote.h"

namespace coffer::mounts {
namespace {

namespace ip = boost::asio::ip;
namespace fs = std::filesystem;

/// IANA's registries of special-purpose addresses, where not globally reachable, and multicast.
constexpr std::array kSpecialV4 = {
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4"};
/// Only global unicast (2000::/3) is public at all; within it these are not.
constexpr std::array kSpecialV6 = {"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"};

bool is_public(const ip::address_v4& address) {
  return std::ranges::none_of(kSpecialV4, [&](const char* text) {
    const auto network = ip::make_network_v4(text);
    return address.to_uint() >> (32 - network.prefix_length()) ==
           network.address().to_uint() >> (32 - network.prefix_length());
  });
}

bool is_in(const ip::address_v6& address, const ip::network_v6& network) {
  return ip::network_v6(address, network.prefix_length()).canonical() == network.canonical();
}

bool is_public(const ip::address_v6& address) {
  if (address.is_v4_mapped()) return is_public(ip::make_address_v4(ip::v4_mapped, address));
  if (!is_in(address, ip::make_network_v6("2000::/3"))) {
    // NAT64 (RFC 6052) leads to the IPv4 address at its end.
    if (!is_in(address, ip::make_network_v6("64:ff9b::/96"))) return false;
    const auto bytes = address.to_bytes();
    return is_public(ip::address_v4({bytes[12], bytes[13], bytes[14], bytes[15]}));
  }
  return std::ranges::none_of(
      kSpecialV6, [&](const char* text) { return is_in(address, ip::make_network_v6(text)); });
}

rclone::RcloneOptions options_in(const fs::path& folder) {
  rclone::RcloneOptions options{.folder = folder};
  // The system's certificates are set in another way.
  if (const auto trusted = storage::trusted_certificates()) {
    options.environment.push_back("SSL_CERT_FILE=" + *trusted);
  }
  return options;
}

/// Each waits for one server; an SFTP connector has at most eight, an FTP one five.
constexpr std::size_t kRemoteThreads = 256;
/// The threads of one account: three of its servers that fall silent leave some to the others. It
/// takes eight such accounts to keep other accounts waiting.
constexpr std::size_t kRemoteThreadsOfOne = 32;
/// A provider's own dialogue may ask the provider.
constexpr auto kCallWithin = std::chrono::seconds(60);

}  // namespace

bool is_public_address(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof(v4));
    return is_public(ip::address_v4(ntohl(v4.sin_addr.s_addr)));
  }
  if (address.sa_family != AF_INET6) return false;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof(v6));
  ip::address_v6::bytes_type bytes;
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return is_public(ip::address_v6(bytes));
}

storage::MayConnect policy_for(bool may_be_private) {
  if (may_be_private) return {};
  return is_public_address;
}

// These three with the mutex held.

Result<void> RcloneProcesses::prepare() {
  if (upload_server_) return {};
  for (const fs::path& folder : {folder_, folder_ / "spool"}) {
    TRY_VOID(make_folder(folder));
  }
  upload_server_ = std::make_unique<rclone::UploadServer>();
  return {};
}

rclone::RcloneProcess& RcloneProcesses::unlimited() {
  if (!engine_) engine_ = std::make_unique<rclone::RcloneProcess>(options_in(folder_ / "engine"));
  return *engine_;
}

rclone::RcloneProcess& RcloneProcesses::limited(const storage::MayConnect& may_connect) {
  if (!limited_) {
    proxy_ = std::make_unique<rclone::Proxy>(may_connect);
    limited_ = std::make_unique<rclone::RcloneProcess>(
        rclone::confined_engine(options_in(folder_ / "limited"), *proxy_, upload_server_->port()));
  }
  return *limited_;
}

Result<RcloneProcesses::Parts> RcloneProcesses::get(const storage::MayConnect& may_connect) {
  const std::lock_guard lock(mutex_);
  TRY_VOID(prepare());
  return Parts{may_connect ? limited(may_connect) : unlimited(), *upload_server_,
               folder_ / "spool"};
}

void RcloneProcesses::end() {
  const std::lock_guard lock(mutex_);
  for (const auto& engine : {engine_.get(), limited_.get()}) {
    if (engine != nullptr) engine->end();
  }
}

storage::MayConnect RemoteAccess::policy_for(bool may_be_private) const {
  return mounts::policy_for(may_be_private || private_connectors_);
}

Pool& RemoteAccess::pool(AccountId account) {
  const std::lock_guard lock(mutex_);
  if (!threads_) threads_.emplace(kRemoteThreads);
  auto& pool = pools_[account];
  if (!pool) pool = std::make_unique<Pool>(*threads_, kRemoteThreadsOfOne);
  return *pool;
}

SharedThreads::Load RemoteAccess::load() const {
  const std::lock_guard lock(mutex_);
  return threads_ ? threads_->load() : SharedThreads::Load{};
}

Task<Result<boost::json::object>> RemoteAccess::call_engine(bool may_be_private,
                                                            std::string_view method,
                                                            boost::json::object parameters) {
  CO_TRY(const auto parts, processes(may_be_private));
  CO_TRY(const auto run, co_await parts.engine.running());
  co_return co_await rclone::call(*run, method, std::move(parameters), kCallWithin);
}

Task<Result<std::string>> RemoteAccess::exchange(AccountId account, bool may_be_private,
                                                 core::CodeGrant grant) {
  oauth::CodeExchange exchange;
  exchange.token_url = std::move(grant.token_url);
  exchange.token_type = std::move(grant.token_type);
  exchange.code = std::move(grant.code);
  exchange.redirect = std::move(grant.redirect);
  exchange.client_id = std::move(grant.client_id);
  exchange.client_secret = std::move(grant.client_secret);
  exchange.verifier = std::move(grant.verifier);
  exchange.may_connect = policy_for(may_be_private);
  exchange.ca_file = storage::trusted_certificates().value_or("");
  exchange.deadlines.ending = ending();
  auto ask = [&] { return oauth::exchange_code(exchange); };
  co_return co_await pool(account).run(std::move(ask));
}

}  // namespace coffer::mounts
