#include "app/setting_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <string_view>
#include <utility>

#include "app/origin.h"
#include "backends/oidc/metadata.h"
#include "base/text.h"
#include "core/identity/person_rules.h"
#include "http/trusted_proxies.h"

namespace coffer::app {

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

Check within(std::int64_t least, std::int64_t most) {
  return [=](const SettingValue& value) -> Result<void> {
    const auto number = std::get<std::int64_t>(value);
    if (number >= least && number <= most) return {};
    return refuse(fmt::format("must be {} to {}", least, most));
  };
}
Result<void> check_share_roots(const SettingValue& value) {
  for (const std::string& root : std::get<Texts>(value)) {
    const std::filesystem::path path(root);
    if (path.is_absolute() && std::ranges::find(path, "..") == path.end()) continue;
    return refuse(fmt::format("must be absolute paths without \"..\", not \"{}\"", root));
  }
  return {};
}

Result<void> check_base_path(const SettingValue& value) {
  constexpr std::string_view kSigns =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/";
  const auto& path = std::get<std::string>(value);
  const bool is_path = path.starts_with('/') && !path.ends_with('/') && !path.contains("//") &&
                       path.find_first_not_of(kSigns) == std::string::npos;
  const std::string first = path.substr(0, path.find('/', 1));
  if (first == "/api" || first == "/health" || first == "/metrics") {
    return refuse(
        fmt::format("must not begin with \"{}\", an address of the program itself", first));
  }
  if (path.empty() || is_path) return {};
  return refuse(
      fmt::format("must be empty or a path such as /coffer, of letters, digits, - and _, without a "
                  "slash at its end, not \"{}\"",
                  path));
}

Result<void> check_origins(const SettingValue& value) {
  for (const std::string& origin : std::get<Texts>(value)) {
    if (origin == "*" || is_origin(origin)) continue;
    return refuse(
        fmt::format("must be origins as browsers send them (https://files.example.org, in lower "
                    "case, without a path) or \"*\", not \"{}\"",
                    origin));
  }
  return {};
}

Result<void> check_public_url(const SettingValue& value) {
  const auto& url = std::get<std::string>(value);
  const bool is_web = url.starts_with("https://") || url.starts_with("http://");
  if (url.empty() || (is_web && is_origin(url))) return {};
  return refuse(
      fmt::format("must be an address such as https://files.example.org, in lower case, without a "
                  "path and without the port 443, not \"{}\"",
                  url));
}

Result<void> check_proxies(const SettingValue& value) {
  const auto parsed = http::TrustedProxies::parse(std::get<Texts>(value));
  if (parsed) return {};
  return refuse(parsed.error().message);
}

Result<void> check_header_name(const SettingValue& value) {
  constexpr std::string_view kSigns =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  constexpr std::string_view kOfClients[] = {
      "Accept", "Authorization", "Connection",        "Content-Length", "Content-Type", "Cookie",
      "Host",   "Origin",        "Transfer-Encoding", "User-Agent",     "X-API-Key"};
  const auto& name = std::get<std::string>(value);
  if (name.find_first_not_of(kSigns) != std::string::npos) {
    return refuse(fmt::format("must be a header's name, such as X-Remote-User, not \"{}\"", name));
  }
  for (const std::string_view one : kOfClients) {
    if (!equal_ignoring_case(one, name)) continue;
    return refuse(fmt::format("must be a header that no client sends by itself, not {}", one));
  }
  return {};
}

Result<void> check_oidc_issuer(const SettingValue& value) {
  const auto& issuer = std::get<std::string>(value);
  if (issuer.empty() || oidc::check_issuer(issuer)) return {};
  return refuse(
      fmt::format("must be the provider's address by https, such as https://id.example.org, "
                  "without a query, not \"{}\"",
                  issuer));
}

Result<void> check_ldap_url(const SettingValue& value) {
  for (const auto part : std::get<std::string>(value) | std::views::split(' ')) {
    const std::string_view url(part.begin(), part.end());
    const bool is_known = url.starts_with("ldap://") || url.starts_with("ldaps://");
    if (!url.empty() && !is_known) {
      return refuse(fmt::format("must be addresses of ldap:// or ldaps://, not \"{}\"", url));
    }
  }
  return {};
}

Result<void> check_oidc_scopes(const SettingValue& value) {
  const std::string scopes = " " + std::get<std::string>(value) + " ";
  if (scopes.contains(" openid ")) return {};
  return refuse("must have openid among it");
}

Result<void> check_group_quotas(const SettingValue& value) {
  for (const std::string& quota : std::get<Texts>(value)) {
    if (core::parse_group_quota(quota)) continue;
    return refuse(
        fmt::format("must be a group, = and a size, such as staff=100GB, not \"{}\"", quota));
  }
  return {};
}

}  // namespace coffer::app
