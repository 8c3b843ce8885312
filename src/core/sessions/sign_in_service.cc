#include "core/sessions/sign_in_service.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "core/keys/secret.h"
#include "core/sessions/password.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

constexpr auto kIdleLimit = std::chrono::days(14);
constexpr auto kLifetime = std::chrono::days(90);
/// What is at hand of a session may be as much behind; beyond that the catalog is asked.
constexpr auto kTrusted = std::chrono::days(1);
constexpr std::size_t kMostSessions = 100;
constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kLongestName = 64;  ///< Of an account, in bytes.
/// So many wait for a thread, or have one, before others are sent away.
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

/// Who has one IPv6 address has as many as a /64 holds.
std::string network_of(const std::string& text) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(text, error);
  if (error || !address.is_v6()) return text;
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string();
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
  const auto sessions = co_await catalog_.web_sessions().list(account);
  if (!sessions) co_return failure_of(sessions);
  co_return std::ranges::find(*sessions, address, &catalog::WebSession::address) != sessions->end();
}

Task<Result<SignInService::Attempt>> SignInService::begin_attempt(const std::string& name,
                                                                  AccountId account,
                                                                  const SignInClient& client) {
  const auto is_known = co_await is_signed_in_from(account, client.address);
  if (!is_known) co_return failure_of(is_known);
  // An address that is known has a count of its own, which others do not raise.
  Attempt attempt;
  attempt.account_subject = "account " + name;
  if (*is_known) attempt.account_subject += " from " + client.address;
  attempt.address_subject = "address " + network_of(client.address);
  std::vector<catalog::SignInLimit> limits = limits_of(attempt);
  const auto wait = co_await catalog_.sign_in_failures().begin_attempt(std::move(limits));
  if (!wait) co_return failure_of(wait);
  if (*wait > 0s) co_return has_to_wait(*wait);
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
    co_return fail(ErrorCode::overloaded, "Too many sign in at this moment. Try again soon.");
  }
  co_return co_await pool_.run([&] { return is_password(password, hash); });
}

Task<Result<catalog::Account>> SignInService::renewed_hash(catalog::Account account,
                                                           std::string_view password) {
  if (!needs_new_hash(account.password_hash)) co_return account;
  auto fresh = co_await pool_.run([&] { return hash_password(password); });
  if (!fresh) co_return failure_of(std::move(fresh));
  auto renewed = co_await catalog_.accounts().renew_hash(account.id, account.password_hash, *fresh);
  if (!renewed) co_return failure_of(std::move(renewed));
  account.password_hash = *std::move(fresh);
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
  auto account = co_await account_named(std::move(name));
  if (!account) co_return failure_of(std::move(account));
  const auto attempt = co_await begin_attempt(account->name, account->id, client);
  if (!attempt) co_return failure_of(attempt);
  const auto matches = co_await verify(password, account->password_hash);
  if (!matches) co_return failure_of(matches);
  if (!*matches || account->disabled) {
    // What is no account's name may be a password that was typed in its place.
    const std::string known = account->id == AccountId() ? std::string() : account->name;
    catalog::Actor actor{"", client.address};
    auto noted =
        co_await catalog_.audit().add(catalog::AuditKind::session_refused, std::move(actor), known);
    if (!noted) co_return failure_of(std::move(noted));
    co_return wrong();
  }
  auto renewed = co_await renewed_hash(*std::move(account), password);
  if (!renewed) co_return failure_of(std::move(renewed));
  auto eased = co_await catalog_.sign_in_failures().succeeded(attempt->account_subject,
                                                              attempt->address_subject);
  if (!eased) co_return failure_of(std::move(eased));
  co_return co_await open_session(*renewed, std::move(client));
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
  auto principal = co_await by_token(token);
  if (!principal) co_return failure_of(std::move(principal));
  co_return SignedIn{*std::move(principal), std::move(token)};
}

Task<Result<Principal>> SignInService::by_token(std::string_view token) {
  const catalog::SecretHash hash = hash_secret(token);
  const Timestamp at = now();
  auto grant = catalog_.web_sessions().find_now(hash);
  if (!grant || at - grant->session.last_seen_at > kTrusted) {
    auto found = co_await catalog_.web_sessions().find(hash);
    if (!found) co_return failure_of(std::move(found));
    grant = *std::move(found);
  }
  if (has_expired(grant->session, at)) {
    co_return fail(ErrorCode::unauthenticated, "The session has expired: sign in again.");
  }
  catalog_.web_sessions().note_use(grant->session.id);
  co_return principal_of(grant);
}

Task<Result<void>> SignInService::sign_out(const Principal& principal) {
  co_return co_await end(principal, principal.session->id);
}

Task<Result<void>> SignInService::change_password(const Principal& principal, std::string current,
                                                  std::string fresh, SignInClient client) {
  auto formed = check_password(fresh);
  if (!formed) co_return formed;
  const auto account = co_await catalog_.accounts().get(principal.account->id);
  if (!account) co_return failure_of(account);
  const auto attempt = co_await begin_attempt(account->name, account->id, client);
  if (!attempt) co_return failure_of(attempt);
  const auto matches = co_await verify(current, account->password_hash);
  if (!matches) co_return failure_of(matches);
  if (!*matches) co_return fail(ErrorCode::forbidden, "The current password is wrong.");
  auto eased = co_await catalog_.sign_in_failures().succeeded(attempt->account_subject,
                                                              attempt->address_subject);
  if (!eased) co_return eased;
  auto hash = co_await pool_.run([&] { return hash_password(fresh); });
  if (!hash) co_return failure_of(std::move(hash));
  catalog::AccountChange change;
  change.password_hash = *std::move(hash);
  change.if_password_hash = account->password_hash;
  if (principal.session) change.kept_session = principal.session->id;
  change.asker = asker_of(principal);
  const auto changed = co_await catalog_.accounts().change(account->id, std::move(change));
  if (!changed) co_return failure_of(changed);
  co_return Result<void>{};
}

Task<Result<void>> SignInService::check_guest(std::string subject, std::string password,
                                              std::string hash, SignInClient client) {
  Attempt attempt;
  attempt.account_subject = std::move(subject);
  attempt.address_subject = "address " + network_of(client.address);
  std::vector<catalog::SignInLimit> limits = limits_of(attempt);
  const auto wait = co_await catalog_.sign_in_failures().begin_attempt(std::move(limits));
  if (!wait) co_return failure_of(wait);
  if (*wait > 0s) co_return has_to_wait(*wait);
  const auto matches = co_await verify(password, hash);
  if (!matches) co_return failure_of(matches);
  if (!*matches) co_return fail(ErrorCode::unauthenticated, "The password is wrong.");
  co_return co_await catalog_.sign_in_failures().succeeded(attempt.account_subject,
                                                           attempt.address_subject);
}

Task<Result<std::string>> SignInService::hash_for_guests(std::string password) {
  auto formed = check_password(password);
  if (!formed) co_return failure_of(std::move(formed));
  co_return co_await pool_.run([&] { return hash_password(password); });
}

Task<Result<std::vector<catalog::WebSession>>> SignInService::list(const Principal& principal) {
  auto sessions = co_await catalog_.web_sessions().list(principal.account->id);
  if (!sessions) co_return sessions;
  const Timestamp at = now();
  std::erase_if(*sessions, [at](const catalog::WebSession& one) { return has_expired(one, at); });
  co_return sessions;
}

Task<Result<std::vector<catalog::WebSession>>> SignInService::list_all() {
  auto sessions = co_await catalog_.web_sessions().list_all();
  if (!sessions) co_return sessions;
  const Timestamp at = now();
  std::erase_if(*sessions, [at](const catalog::WebSession& one) { return has_expired(one, at); });
  co_return sessions;
}

Task<Result<void>> SignInService::end_any(const Principal& principal, SessionId id) {
  co_return co_await catalog_.web_sessions().end_any(std::move(id), administrator_of(principal));
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
