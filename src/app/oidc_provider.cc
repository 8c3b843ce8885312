#include "app/oidc_provider.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/counted_call.h"

namespace coffer::app {
namespace {

core::ProvidedPerson to_core(oidc::SignedInPerson signed_in) {
  core::ProvidedPerson person;
  person.identity = {std::move(signed_in.issuer), std::move(signed_in.subject)};
  person.session = std::move(signed_in.session);
  person.authenticated_at = signed_in.authenticated_at;
  person.proof = std::move(signed_in.id_token);
  person.name = std::move(signed_in.person.name);
  person.display_name = std::move(signed_in.person.display_name);
  person.groups = std::move(signed_in.person.groups);
  person.quota_bytes = signed_in.person.quota_bytes;
  return person;
}

std::vector<std::string> algorithms_of(const std::vector<oidc::Jwk>& keys) {
  using enum oidc::Algorithm;
  std::vector<std::string> words;
  for (const auto algorithm : {rs256, ps256, es256, eddsa}) {
    const auto fits = [algorithm](const oidc::Jwk& key) { return key.fits(algorithm); };
    if (std::ranges::any_of(keys, fits)) words.emplace_back(word_of(algorithm));
  }
  return words;
}

/// A provider without a key that can be used signs nobody in.
Result<std::vector<oidc::Jwk>> usable_keys(const oidc::Provider& provider,
                                           const oidc::Metadata& metadata) {
  TRY(auto keys, provider.fetch_keys(metadata));
  if (!keys.empty()) return keys;
  return fail(ErrorCode::unavailable, "The provider has no key of a kind that is accepted here.");
}

core::ProviderProbe probe_of(const oidc::Provider& provider) {
  core::ProviderProbe probe;
  oidc::Metadata metadata;
  probe.metadata = core::probe_step(metadata, [&] { return provider.fetch_metadata(); });
  if (probe.metadata.error) return probe;
  std::vector<oidc::Jwk> keys;
  probe.keys = core::probe_step(keys, [&] { return usable_keys(provider, metadata); });
  probe.usable_keys = keys.size();
  probe.algorithms = algorithms_of(keys);
  return probe;
}

}  // namespace

template <class T, class Work>
Task<Result<T>> OidcProvider::ask(Work work) {
  const CountedCall counted(waiting_);
  if (counted.before() >= kMostWaiting) {
    co_return fail(ErrorCode::overloaded, "Too many sign-ins wait for the provider.");
  }
  co_return co_await pool_.run(std::move(work));
}

Task<Result<std::string>> OidcProvider::authorization_address(core::ProviderRequest request) {
  oidc::AuthorizationRequest wanted;
  wanted.redirect = std::move(request.redirect);
  wanted.state = std::move(request.state);
  wanted.nonce = std::move(request.nonce);
  wanted.challenge = std::move(request.challenge);
  wanted.prompt = std::move(request.prompt);
  wanted.asks_again = request.asks_again;
  auto work = [&] { return provider_.authorization_address(wanted); };
  co_return co_await ask<std::string>(std::move(work));
}

Task<Result<core::ProvidedPerson>> OidcProvider::exchange(core::ProviderAnswer answer) {
  oidc::AuthorizationAnswer given;
  given.code = std::move(answer.code);
  given.issuer = std::move(answer.issuer);
  given.redirect = std::move(answer.redirect);
  given.nonce = std::move(answer.nonce);
  given.verifier = std::move(answer.verifier);
  auto work = [&] { return provider_.exchange(given); };
  CO_TRY(auto person, co_await ask<oidc::SignedInPerson>(std::move(work)));
  co_return to_core(std::move(person));
}

Task<Result<core::ProviderLogout>> OidcProvider::read_logout_token(std::string token) {
  auto work = [&] { return provider_.read_logout_token(token); };
  CO_TRY(auto read, co_await ask<oidc::LogoutToken>(std::move(work)));
  core::ProviderLogout logout;
  logout.id = std::move(read.id);
  logout.issuer = provider_.issuer();
  logout.subject = std::move(read.subject);
  logout.session = std::move(read.session);
  logout.expires_at = read.expires_at;
  co_return logout;
}

Task<Result<std::string>> OidcProvider::logout_address(std::string return_to, std::string proof) {
  auto work = [&] { return provider_.logout_address(return_to, proof); };
  co_return co_await ask<std::string>(std::move(work));
}

Task<Result<core::ProviderProbe>> OidcProvider::probe() {
  auto work = [&] { return Result<core::ProviderProbe>(probe_of(provider_)); };
  co_return co_await ask<core::ProviderProbe>(std::move(work));
}

Result<core::ProvidedPerson> OidcProvider::describe(const boost::json::object& claims) const {
  TRY(auto person, provider_.describe(claims));
  return to_core(std::move(person));
}

}  // namespace coffer::app
