#include "api/v2/passkey_json.h"

#include <fmt/format.h>

#include <array>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/encoding.h"
#include "base/text.h"

namespace coffer::api::v2 {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostCredentialBytes = 16UL * 1024;
constexpr std::size_t kMostTransports = 8;
constexpr std::size_t kLongestTransport = 32;

/// The text of base64url in the member; throws if there is none.
std::string bytes_in(const json::object& object, std::string_view name) {
  const auto& text = object.at({name.data(), name.size()}).as_string();
  const auto bytes = from_base64url({text.data(), text.size()});
  if (text.size() > kMostCredentialBytes || !bytes) throw std::invalid_argument("no base64url");
  return *bytes;
}

bool is_transport(std::string_view word) {
  return !word.empty() && word.size() <= kLongestTransport &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

/// Browsers may give more than are kept, and words of later versions.
std::vector<std::string> transports_in(const json::object& response) {
  std::vector<std::string> transports;
  const auto* given = response.if_contains("transports");
  if (given == nullptr) return transports;
  for (const json::value& one : given->as_array()) {
    const auto& word = one.as_string();
    const bool fits = transports.size() < kMostTransports;
    if (fits && is_transport({word.data(), word.size()})) transports.emplace_back(word);
  }
  return transports;
}

core::MadePasskey made_in(const json::object& credential) {
  const json::object& response = credential.at("response").as_object();
  core::MadePasskey made;
  made.client_data = bytes_in(response, "clientDataJSON");
  made.authenticator_data = bytes_in(response, "authenticatorData");
  made.transports = transports_in(response);
  return made;
}

core::ShownPasskey shown_in(const json::object& credential) {
  const json::object& response = credential.at("response").as_object();
  core::ShownPasskey shown;
  shown.credential_id = to_base64url(bytes_in(credential, "id"));
  shown.answer.client_data = bytes_in(response, "clientDataJSON");
  shown.answer.authenticator_data = bytes_in(response, "authenticatorData");
  shown.answer.signature = bytes_in(response, "signature");
  const auto* user = response.if_contains("userHandle");
  if (user != nullptr && !user->is_null()) {
    shown.user_id = to_base64url(bytes_in(response, "userHandle"));
  }
  return shown;
}

/// Reads with `read`, which throws if the value is something else.
template <class T>
Result<void> read_credential(const json::value& value, T (*read)(const json::object&), T& out,
                             std::string_view members) {
  try {
    out = read(value.as_object());
    return {};
  } catch (const std::exception&) {
    return fail(ErrorCode::invalid,
                fmt::format("must be the JSON of a PublicKeyCredential, with {} in base64url in "
                            "its response",
                            members));
  }
}

json::object credential_schema(std::initializer_list<std::string_view> members) {
  json::object properties;
  json::array required;
  for (const std::string_view member : members) {
    properties[json::string_view(member.data(), member.size())] = {{"type", "string"}};
    required.emplace_back(json::string_view(member.data(), member.size()));
  }
  json::object response = {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
  return {{"type", "object"},
          {"properties", {{"id", {{"type", "string"}}}, {"response", std::move(response)}}},
          {"required", {"id", "response"}}};
}

/// The origin of pages that a request without public_url may come from.
std::string origin_of(const http::Request& request) {
  const std::string scheme = request.is_secure ? "https://" : "http://";
  return scheme + std::string(request.header("Host").value_or(""));
}

}  // namespace

boost::json::object MadeCredential::schema() {
  return credential_schema({"clientDataJSON", "authenticatorData"});
}

boost::json::object ShownCredential::schema() {
  return credential_schema({"clientDataJSON", "authenticatorData", "signature"});
}

Result<void> from_json(const boost::json::value& value, MadeCredential& out) {
  return read_credential(value, &made_in, out.value, "clientDataJSON and authenticatorData");
}

Result<void> from_json(const boost::json::value& value, ShownCredential& out) {
  return read_credential(value, &shown_in, out.value,
                         "clientDataJSON, authenticatorData and signature");
}

Result<core::PasskeyDomain> passkey_domain(const Call& call) {
  if (!call.services.sign_in_rules.passkeys) {
    return fail(ErrorCode::not_found, "Passkeys are turned off on this server.");
  }
  const std::string& url = call.services.public_url;
  auto domain = core::PasskeyDomain::of(url.empty() ? origin_of(call.request) : url);
  // Another name than this machine's own would be whatever the client says.
  if (domain && (!url.empty() || domain->rp_id == "localhost")) return *std::move(domain);
  return fail(ErrorCode::not_found,
              "Passkeys need the setting public_url, with https and a name as its host.");
}

}  // namespace coffer::api::v2
