#include "backends/rclone/confinement/confined_engine.h"

#include <fmt/format.h>
#include <netdb.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "backends/rclone/confinement/port_confinement.h"
#include "backends/rclone/engine/proxy.h"
#include "base/text.h"

namespace coffer::rclone {
namespace {

bool is_this_machine(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::string name = to_lower(host);
  return name == "localhost" || name.ends_with(".localhost");
}

/// In every spelling that the system takes for an address, such as 127.1.
bool is_refused_literal(const std::string& host, const storage::MayConnect& may_connect) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (!may_connect || ::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return false;
  const std::unique_ptr<addrinfo, decltype([](addrinfo* list) { ::freeaddrinfo(list); })> list(
      found);
  return !may_connect(*found->ai_addr);
}

}  // namespace

RcloneOptions confined_engine(RcloneOptions options, const Proxy& proxy,
                              std::uint16_t upload_port) {
  const std::string url = proxy.url();
  for (const char* name : {"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"}) {
    options.environment.push_back(fmt::format("{}={}", name, url));
  }
  options.environment.emplace_back("NO_PROXY=");
  // Go's own resolver asks no service of this machine, and its own sockets are all of TCP.
  options.environment.emplace_back("GODEBUG=netdns=go,multipathtcp=0");
  auto confine = confine_to_ports({proxy.port(), upload_port});
  if (confine) {
    options.confine = *std::move(confine);
  } else {
    options.obstacle = confine.error();
  }
  return options;
}

Result<void> check_hosts(const RemoteConfig& config, const storage::MayConnect& may_connect) {
  for (const auto& [name, value] : config.parameters) {
    if (is_address(config.type, name) && value.starts_with("http://")) {
      return fail(ErrorCode::invalid, fmt::format("Give the option {} with https://.", name));
    }
  }
  for (const std::string& host : hosts_of(config)) {
    if (is_this_machine(host) || is_refused_literal(host, may_connect)) {
      return fail(ErrorCode::invalid,
                  "Connections to the drive's address are not allowed: give another public one.");
    }
  }
  return {};
}

}  // namespace coffer::rclone
