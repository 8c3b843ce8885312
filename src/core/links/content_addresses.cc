#include "core/links/content_addresses.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/encoding.h"

namespace coffer::core {
namespace {

/// First of all in the sealed text, so that what was sealed for something else opens nothing.
constexpr std::string_view kPurpose = "content address 2";

/// Base64 for addresses (RFC 4648, section 5) differs in two characters.
std::string with_letters(std::string text, std::string_view from, std::string_view to) {
  for (char& letter : text) {
    const auto place = from.find(letter);
    if (place != std::string_view::npos) letter = to[place];
  }
  return text;
}

std::unexpected<Error> no_address() {
  return fail(ErrorCode::not_found, "There is no such address, or it has expired.");
}

struct Sealed {
  catalog::Credential credential;
  std::string scope;  ///< Of the principal; `/` for full access.
  ContentAddresses::Target target;
  std::int64_t expires_s = 0;
};

std::string_view as_text(const catalog::SecretHash& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

std::string to_text(const Sealed& sealed) {
  std::string text(kPurpose);
  text += '\n';
  text += sealed.credential.kind == catalog::Credential::Kind::key ? "key\n" : "session\n";
  text += to_base64(as_text(sealed.credential.hash));
  text +=
      '\n' + std::to_string(sealed.expires_s) + '\n' + (sealed.target.is_shown ? "shown" : "saved");
  text += '\n' + sealed.target.etag;
  return text + '\n' + sealed.scope + '\n' + sealed.target.path.str();
}

/// Of a text that only `to_text` can have made.
std::optional<Sealed> from_text(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at != std::string_view::npos && lines.size() < 8;) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    at = end;
    if (at != std::string_view::npos) text.remove_prefix(at + 1);
  }
  if (lines.size() != 8 || lines[0] != kPurpose) return std::nullopt;
  Sealed sealed;
  using Kind = catalog::Credential::Kind;
  sealed.credential.kind = lines[1] == "key" ? Kind::key : Kind::session;
  const auto hash = from_base64(lines[2]);
  if (!hash || hash->size() != sealed.credential.hash.size()) return std::nullopt;
  std::memcpy(sealed.credential.hash.data(), hash->data(), hash->size());
  std::from_chars(lines[3].data(), lines[3].data() + lines[3].size(), sealed.expires_s);
  sealed.target.is_shown = lines[4] == "shown";
  sealed.target.etag = lines[5];
  sealed.scope = lines[6];
  auto path = Path::parse(lines[7]);
  if (!path) return std::nullopt;
  sealed.target.path = *std::move(path);
  return sealed;
}

std::string scope_text(const Principal& principal) {
  return principal.scope ? principal.scope->str() : "/";
}

}  // namespace

std::string ContentAddresses::make(const Principal& principal, const Target& target,
                                   Timestamp expires_at) const {
  Sealed sealed;
  sealed.credential = *principal.credential;
  sealed.scope = scope_text(principal);
  sealed.target = target;
  sealed.expires_s =
      std::chrono::floor<std::chrono::seconds>(expires_at).time_since_epoch().count();
  return with_letters(sealer_.seal(to_text(sealed)), "+/=", "-_.");
}

Task<Result<Principal>> ContentAddresses::principal_by(
    const catalog::Credential& credential) const {
  if (credential.kind == catalog::Credential::Kind::session) {
    CO_TRY(auto grant, co_await catalog_.web_sessions().find(credential.hash));
    if (has_expired(grant->session)) co_return no_address();
    co_return principal_of(grant);
  }
  CO_TRY(auto grant, co_await catalog_.keys().find(credential.hash));
  if (has_expired(grant->key) || !grant->key.change_id.empty()) co_return no_address();
  co_return principal_of(grant);
}

Task<Result<ContentAddresses::Address>> ContentAddresses::open(std::string_view text) const {
  const auto opened = sealer_.open(with_letters(std::string(text), "-_.", "+/="));
  const auto sealed = opened ? from_text(*opened) : std::nullopt;
  if (!sealed || timestamp_of(sealed->expires_s) <= now()) co_return no_address();
  auto principal = co_await principal_by(sealed->credential);
  if (!principal && is_own_failure(principal.error().code)) {
    co_return failure_of(std::move(principal));
  }
  if (!principal || scope_text(*principal) != sealed->scope) co_return no_address();
  Address address{*std::move(principal), sealed->target};
  co_return address;
}

}  // namespace coffer::core
