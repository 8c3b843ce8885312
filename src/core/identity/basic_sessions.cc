#include "core/identity/basic_sessions.h"

#include <sodium.h>

#include <chrono>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "core/identity/sign_in_rules.h"

namespace coffer::core {
namespace {

std::unexpected<Error> needs_key_for_factor() {
  return fail(ErrorCode::unauthenticated,
              "This account asks for a second factor besides its password: sign in with a key of "
              "it as the password.");
}

bool is_to_be_asked_again(const Principal& principal) {
  constexpr auto kTrusted = std::chrono::hours(1);
  const bool is_of_directory = principal.account->password_hash.empty();
  return is_of_directory && now() - principal.session->created_at > kTrusted;
}

}  // namespace

BasicSessions::BasicSessions(catalog::SecondFactors& factors, SignInService& sign_in,
                             SecondFactorService& second_factors)
    : factors_(factors), sign_in_(sign_in), second_factors_(second_factors) {
  randombytes_buf(key_.data(), key_.size());
}

catalog::SecretHash BasicSessions::tag_of(const std::string& name, const std::string& password,
                                          const SignInClient& client) const {
  std::string text;
  for (const std::string* part : {&name, &password, &client.agent}) {
    text += std::to_string(part->size()) + ':' + *part;
  }
  catalog::SecretHash tag{};
  crypto_generichash(reinterpret_cast<unsigned char*>(tag.data()), tag.size(),
                     reinterpret_cast<const unsigned char*>(text.data()), text.size(), key_.data(),
                     key_.size());
  return tag;
}

std::optional<std::string> BasicSessions::token_of(const catalog::SecretHash& tag) {
  const std::lock_guard lock(mutex_);
  const auto found = tokens_.find(tag);
  return found == tokens_.end() ? std::nullopt : std::optional(found->second);
}

std::string BasicSessions::keep(const catalog::SecretHash& tag, const std::string& token) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = tokens_.try_emplace(tag, token);
  if (!is_new) return place->second;
  order_.push_back(tag);
  if (order_.size() > kMostKept) {
    tokens_.erase(order_.front());
    order_.pop_front();
  }
  return token;
}

bool BasicSessions::forget(const catalog::SecretHash& tag, const std::string& token) {
  const std::lock_guard lock(mutex_);
  const auto found = tokens_.find(tag);
  if (found == tokens_.end() || found->second != token) return false;
  tokens_.erase(found);
  std::erase(order_, tag);
  return true;
}

Task<Result<Principal>> BasicSessions::use(const std::string& token) {
  CO_TRY(auto principal, co_await sign_in_.by_token(token));
  // It may have been turned on since.
  CO_TRY(const auto factor, co_await factors_.find(principal.account->id));
  if (factor.is_on()) co_return needs_key_for_factor();
  CO_TRY_VOID(check_is_protected(second_factors_.rules(), principal));
  co_return principal;
}

Task<Result<Principal>> BasicSessions::open(const catalog::SecretHash& tag, std::string name,
                                            std::string password, SignInClient client) {
  CO_TRY(auto outcome,
         co_await second_factors_.sign_in(std::move(name), std::move(password), std::move(client)));
  auto* const opened = std::get_if<SignedIn>(&outcome);
  if (opened == nullptr) co_return needs_key_for_factor();
  const auto held = check_is_protected(second_factors_.rules(), opened->principal);
  if (!held) {
    CO_TRY_VOID(co_await sign_in_.sign_out(opened->principal));
    co_return failure_of(held);
  }
  const std::string kept = keep(tag, opened->token);
  if (kept == opened->token) co_return std::move(opened->principal);
  // Another request of the client was faster.
  CO_TRY_VOID(co_await sign_in_.sign_out(opened->principal));
  co_return co_await use(kept);
}

Task<Result<Principal>> BasicSessions::renew(const catalog::SecretHash& tag, std::string token,
                                             Principal principal, std::string name,
                                             std::string password, SignInClient client) {
  auto opened = co_await open(tag, std::move(name), std::move(password), std::move(client));
  if (!opened && opened.error().code == ErrorCode::unready) {
    keep(tag, token);
    co_return principal;
  }
  const auto ended = co_await sign_in_.sign_out(principal);
  if (!ended && ended.error().code != ErrorCode::not_found) co_return failure_of(ended);
  co_return opened;
}

Task<Result<Principal>> BasicSessions::find(std::string name, std::string password,
                                            SignInClient client) {
  const catalog::SecretHash tag = tag_of(name, password, client);
  if (const auto token = token_of(tag)) {
    auto principal = co_await use(*token);
    if (principal && is_to_be_asked_again(*principal) && forget(tag, *token)) {
      co_return co_await renew(tag, *token, *std::move(principal), std::move(name),
                               std::move(password), std::move(client));
    }
    if (principal || principal.error().code != ErrorCode::unauthenticated) co_return principal;
    forget(tag, *token);
  }
  co_return co_await open(tag, std::move(name), std::move(password), std::move(client));
}

}  // namespace coffer::core
