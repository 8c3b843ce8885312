#include "backends/oidc/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "backends/oidc/json_members.h"
#include "base/text.h"

namespace coffer::oidc {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestAddress = 2048;
constexpr std::string_view kHttps = "https://";
constexpr std::string_view kHttp = "http://";

bool is_number_up_to(std::string_view text, unsigned most) {
  const auto number = parse_number<unsigned>(text);
  return number && *number <= most;
}

/// True for an address of 127.0.0.0/8 in its usual form. No name ends like that.
bool is_loopback_v4(std::string_view host) {
  std::size_t parts = 1;
  for (auto dot = host.find('.'); dot != host.npos; dot = host.find('.')) {
    if (!is_number_up_to(host.substr(0, dot), 255)) return false;
    if (parts == 1 && host.substr(0, dot) != "127") return false;
    host.remove_prefix(dot + 1);
    ++parts;
  }
  return parts == 4 && is_number_up_to(host, 255);
}

bool is_this_machine(std::string_view host) {
  return host == "localhost" || host == "[::1]" || is_loopback_v4(host);
}

/// Returns an address's host with its brackets and without its port; empty if it is malformed.
std::string_view host_of(std::string_view authority) {
  const auto end_of_brackets = authority.starts_with('[') ? authority.find(']') : 0;
  if (end_of_brackets == authority.npos) return {};
  const auto colon = authority.find(':', end_of_brackets);
  if (colon == authority.npos) return authority;
  return is_number_up_to(authority.substr(colon + 1), 65535) ? authority.substr(0, colon)
                                                             : std::string_view();
}

bool is_plain(char c) {
  return c > ' ' && c < 127 && !std::string_view(R"("<>\^`{|})").contains(c);
}

/// True for an absolute address that may be asked, or that a browser may be sent to.
bool is_allowed(std::string_view address, bool may_be_http) {
  if (address.size() > kLongestAddress || !std::ranges::all_of(address, is_plain)) return false;
  const bool is_http = address.starts_with(kHttp);
  if (!is_http && !address.starts_with(kHttps)) return false;
  address.remove_prefix(is_http ? kHttp.size() : kHttps.size());
  const auto authority = address.substr(0, address.find_first_of("/?#"));
  if (address.contains('#') || authority.contains('@')) return false;
  const auto host = host_of(authority);
  return !host.empty() && (!is_http || (may_be_http && is_this_machine(host)));
}

std::unexpected<Error> unusable(std::string_view what) {
  return fail(ErrorCode::unavailable, fmt::format("The provider's metadata {}.", what));
}

/// Reads the addresses of the provider's metadata.
class Addresses {
 public:
  Addresses(const json::object& metadata, bool may_be_http)
      : metadata_(metadata), may_be_http_(may_be_http) {}

  /// Returns an address that must be there.
  Result<std::string> needed(std::string_view name) const {
    TRY(auto address, given(name));
    if (address.empty()) return unusable(fmt::format("has no {}", name));
    return address;
  }
  /// Returns an empty text if the address is missing.
  Result<std::string> given(std::string_view name) const {
    auto address = text_in(metadata_, name);
    if (!address) return std::string();
    if (!is_allowed(*address, may_be_http_)) {
      return unusable(fmt::format("has a {} that is not allowed", name));
    }
    return *std::move(address);
  }

 private:
  const json::object& metadata_;
  const bool may_be_http_;
};

void read_ways(const json::object& object, Metadata& metadata) {
  const json::value* const ways = object.if_contains("token_endpoint_auth_methods_supported");
  if (ways != nullptr && ways->is_array()) {
    metadata.client_authentication.clear();
    for (const json::value& way : ways->get_array()) {
      if (!way.is_string()) continue;
      metadata.client_authentication.emplace_back(way.get_string());
    }
  }
  const json::value* const names =
      object.if_contains("authorization_response_iss_parameter_supported");
  metadata.names_issuer = names != nullptr && names->is_bool() && names->get_bool();
}

}  // namespace

Result<void> check_issuer(std::string_view issuer) {
  if (is_allowed(issuer, true) && !issuer.contains('?')) return {};
  return fail(ErrorCode::invalid,
              "The issuer is the provider's address by https, such as https://id.example.org, "
              "without a query.");
}

std::string metadata_address(std::string_view issuer) {
  while (issuer.ends_with('/')) issuer.remove_suffix(1);
  return fmt::format("{}/.well-known/openid-configuration", issuer);
}

Result<Metadata> parse_metadata(std::string_view text, std::string_view issuer) {
  const auto object = parse_object(text);
  if (!object) return unusable("is none");
  if (text_in(*object, "issuer") != issuer) return unusable("is of another issuer");
  const Addresses addresses(*object, issuer.starts_with(kHttp));
  Metadata metadata;
  metadata.issuer = issuer;
  TRY(metadata.authorization_endpoint, addresses.needed("authorization_endpoint"));
  TRY(metadata.token_endpoint, addresses.needed("token_endpoint"));
  TRY(metadata.key_set, addresses.needed("jwks_uri"));
  TRY(metadata.userinfo_endpoint, addresses.given("userinfo_endpoint"));
  TRY(metadata.end_session_endpoint, addresses.given("end_session_endpoint"));
  read_ways(*object, metadata);
  return metadata;
}

}  // namespace coffer::oidc
