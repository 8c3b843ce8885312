#include "core/sessions/sign_in_service.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "core/keys/authenticator.h"
#include "core/sessions/client_network.h"
#include "core/sessions/password.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

constexpr auto kIdleLimit = std::chrono::days(14);
constexpr auto kLifetime = std::chrono::days(90);
/// A cached session may be so far behind; beyond that the catalog is asked.
constexpr auto kTrusted = std::chrono::days(1);
constexpr std::size_t kMostSessions = 100;
constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kLongestName = 64;  ///< Of an account, in bytes.
/// So many may wait for a thread or have one; others are refused.
constexpr int kMostVerifying = 64;

constexpr std::uint64_t kFreeByAccount = 10;
constexpr std::chrono::seconds kLongestByAccount = 1min;
constexpr std::uint64_t kFreeByAddress = 30;
constexpr std::chrono::seconds kLongestByAddress = 15min;

std::unexpected<Error> wrong() {
  return fail(ErrorCode::unauthenticated, "The user name or the password is wrong.");
}

bool has_expired(const catalog::WebSession& session, Timestamp at) {
  return at - session.last_seen_at > kIdleLimit || at - session.created_at > kLifetime;
}

using Sessions = std::vector<catalog::WebSession>;

Result<Sessions> without_expired(Result<Sessions> sessions) {
  const auto expires = [at = now()](const catalog::WebSession& one) {
    return has_expired(one, at);
  };
  if (sessions) std::erase_if(*sessions, expires);
  return sessions;
}

std::unexpected<Error> has_to_wait(std::chrono::seconds wait) {
  Error error{ErrorCode::rate_limited,
              fmt::format("Too many sign-ins failed: try again in {} s.", wait.count())};
  error.retry_after = wait;
  return std::unexpected(std::move(error));
}

}  // namespace

std::vector<catalog::SignInLimit> SignInService::limits_of(const Attempt& attempt) {
  return {{attempt.account_subject, kFreeByAccount, kLongestByAccount},
          {attempt.address_subject, kFreeByAddress, kLongestByAddress}};
}

Task<Result<bool>> SignInService::is_signed_in_from(AccountId account, const std::string& address) {
  CO_TRY(const auto sessions, co_await catalog_.web_sessions().list(account));
  co_return std::ranges::find(sessions, address, &catalog::WebSession::address) != sessions.end();
}

Task<Result<SignInService::Attempt>> SignInService::begin_attempt(const std::string& name,
                                                                  AccountId account,
                                                                  const SignInClient& client) {
  CO_TRY(const auto is_known, co_await is_signed_in_from(account, client.address));
  // A known address has a count of its own, which guesses from others do not raise.
  Attempt attempt;
  attempt.account_subject = "account " + name;
  if (is_known) attempt.account_subject += " from " + client.address;
  attempt.address_subject = "address " + network_of(client.address);
  std::vector<catalog::SignInLimit> limits = limits_of(attempt);
  CO_TRY(const auto wait, co_await catalog_.sign_in_failures().begin_attempt(std::move(limits)));
  if (wait > 0s) co_return has_to_wait(wait);
  co_return attempt;
}

Task<Result<bool>> SignInService::verify(std::string_view password, const std::string& hash) {
  struct Count {
    explicit Count(std::atomic<int>& all) : count(all), value(++all) {}
    ~Count() { --count; }
    std::atomic<int>& count;
    int value;
  };
  const Count count(verifying_);
  if (count.value > kMostVerifying) {
    co_return fail(ErrorCode::overloaded, "Too many people are signing in. Try again soon.");
  }
  co_return co_await pool_.run([&] { return is_password(password, hash); });
}

Task<Result<catalog::Account>> SignInService::renewed_hash(catalog::Account account,
                                                           std::string_view password) {
  if (!needs_new_hash(account.password_hash)) co_return account;
  CO_TRY(auto fresh, co_await pool_.run([&] { return hash_password(password); }));
  CO_TRY_VOID(co_await catalog_.accounts().renew_hash(account.id, account.password_hash, fresh));
  account.password_hash = std::move(fresh);
  co_return account;
}

Task<Result<catalog::Account>> SignInService::account_named(std::string name) {
  auto account = co_await catalog_.accounts().find(name);
  if (account || account.error().code != ErrorCode::not_found) co_return account;
  catalog::Account none;
  none.name = cut_utf8(name, kLongestName);
  co_return none;
}

Task<Result<SignedIn>> SignInService::sign_in(std::string name, std::string password,
                                              SignInClient client) {
  CO_TRY(auto account, co_await account_named(std::move(name)));
  CO_TRY(const auto attempt, co_await begin_attempt(account.name, account.id, client));
  CO_TRY(const auto matches, co_await verify(password, account.password_hash));
  if (!matches || account.disabled) {
    // An unknown name is not noted: it may be a password that was typed in its place.
    const std::string known = account.id == AccountId() ? std::string() : account.name;
    catalog::Actor actor{"", client.address};
    CO_TRY_VOID(co_await catalog_.audit().add(catalog::AuditKind::session_refused, std::move(actor),
                                              known));
    co_return wrong();
  }
  CO_TRY(auto renewed, co_await renewed_hash(std::move(account), password));
  CO_TRY_VOID(co_await catalog_.sign_in_failures().succeeded(attempt.account_subject,
                                                             attempt.address_subject));
  co_return co_await open_session(renewed, std::move(client));
}

Task<Result<SignedIn>> SignInService::open_session(const catalog::Account& account,
                                                   SignInClient client) {
  std::string token = random_hex(kTokenBytes);
  catalog::NewWebSession wanted;
  wanted.account = account.id;
  wanted.password_hash = account.password_hash;
  wanted.address = std::move(client.address);
  wanted.agent = std::move(client.agent);
  wanted.hash = hash_secret(token);
  const auto made = co_await catalog_.web_sessions().create(std::move(wanted), kMostSessions);
  if (!made) co_return failure_of(made);
  CO_TRY(auto principal, co_await by_token(token));
  co_return SignedIn{std::move(principal), std::move(token)};
}

Task<Result<Principal>> SignInService::by_token(std::string_view token) {
  const catalog::SecretHash hash = hash_secret(token);
  const Timestamp at = now();
  auto grant = catalog_.web_sessions().find_now(hash);
  if (!grant || at - grant->session.last_seen_at > kTrusted) {
    CO_TRY(grant, co_await catalog_.web_sessions().find(hash));
  }
  if (has_expired(grant->session, at)) {
    co_return fail(ErrorCode::unauthenticated, "The session has expired: sign in again.");
  }
  catalog_.web_sessions().note_use(grant->session.id);
  co_return principal_of(grant);
}

Task<Result<void>> SignInService::sign_out(const Principal& principal) {
  co_return co_await catalog_.web_sessions().sign_out(principal.account->id, principal.session->id,
                                                      asker_of(principal));
}

Task<Result<void>> SignInService::change_password(const Principal& principal, std::string current,
                                                  std::string fresh, SignInClient client) {
  CO_TRY_VOID(check_password(fresh));
  CO_TRY(const auto account, co_await catalog_.accounts().get(principal.account->id));
  CO_TRY(const auto attempt, co_await begin_attempt(account.name, account.id, client));
  CO_TRY(const auto matches, co_await verify(current, account.password_hash));
  if (!matches) co_return fail(ErrorCode::forbidden, "The current password is wrong.");
  CO_TRY_VOID(co_await catalog_.sign_in_failures().succeeded(attempt.account_subject,
                                                             attempt.address_subject));
  catalog::AccountChange change;
  CO_TRY(change.password_hash, co_await pool_.run([&] { return hash_password(fresh); }));
  change.if_password_hash = account.password_hash;
  if (principal.session) change.kept_session = principal.session->id;
  change.asker = asker_of(principal);
  const auto changed = co_await catalog_.accounts().change(account.id, std::move(change));
  if (!changed) co_return failure_of(changed);
  co_return Result<void>{};
}

Task<Result<void>> SignInService::check_guest(std::string subject, std::string password,
                                              std::string hash, SignInClient client) {
  Attempt attempt;
  attempt.account_subject = std::move(subject);
  attempt.address_subject = "address " + network_of(client.address);
  std::vector<catalog::SignInLimit> limits = limits_of(attempt);
  CO_TRY(const auto wait, co_await catalog_.sign_in_failures().begin_attempt(std::move(limits)));
  if (wait > 0s) co_return has_to_wait(wait);
  CO_TRY(const auto matches, co_await verify(password, hash));
  if (!matches) co_return fail(ErrorCode::unauthenticated, "The password is wrong.");
  co_return co_await catalog_.sign_in_failures().succeeded(attempt.account_subject,
                                                           attempt.address_subject);
}

Task<Result<std::string>> SignInService::hash_for_guests(std::string password) {
  CO_TRY_VOID(check_password(password));
  co_return co_await pool_.run([&] { return hash_password(password); });
}

Task<Result<std::vector<catalog::WebSession>>> SignInService::list(const Principal& principal) {
  co_return without_expired(co_await catalog_.web_sessions().list(principal.account->id));
}

Task<Result<std::vector<catalog::WebSession>>> SignInService::list_all() {
  co_return without_expired(co_await catalog_.web_sessions().list_all());
}

Task<Result<void>> SignInService::end_any(const Principal& principal, SessionId id) {
  co_return co_await catalog_.web_sessions().end({}, std::move(id), administrator_of(principal));
}

Task<Result<void>> SignInService::end(const Principal& principal, SessionId id) {
  co_return co_await catalog_.web_sessions().end(principal.account->id, std::move(id),
                                                 asker_of(principal));
}

Task<Result<void>> SignInService::end_others(const Principal& principal) {
  std::optional<SessionId> kept;
  if (principal.session) kept = principal.session->id;
  const auto ended = co_await catalog_.web_sessions().end_others(
      principal.account->id, std::move(kept), asker_of(principal));
  if (!ended) co_return failure_of(ended);
  co_return Result<void>{};
}

Task<Result<void>> SignInService::drop_expired() {
  const Timestamp at = now();
  co_return co_await catalog_.web_sessions().end_older(at - kLifetime, at - kIdleLimit);
}

std::string csrf_token_of(std::string_view session_token) {
  return to_hex(hash_secret("csrf " + std::string(session_token)));
}

bool is_csrf_token(std::string_view shown, std::string_view session_token) {
  const std::string token = csrf_token_of(session_token);
  return shown.size() == token.size() &&
         sodium_memcmp(shown.data(), token.data(), token.size()) == 0;
}

}  // namespace coffer::core
