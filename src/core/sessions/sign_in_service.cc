#include "core/sessions/sign_in_service.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "base/folding.h"
#include "base/random.h"
#include "base/text.h"
#include "core/keys/authenticator.h"
#include "core/sessions/guess_limits.h"
#include "core/sessions/known_device.h"
#include "core/sessions/password.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

/// A cached session may be so far behind; beyond that the catalog is asked.
constexpr auto kTrusted = std::chrono::days(1);
constexpr std::size_t kMostSessions = 100;
constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kLongestName = 64;  ///< Of an account, in bytes.

std::unexpected<Error> wrong() {
  return fail(ErrorCode::unauthenticated, "The user name or the password is wrong.");
}

std::unexpected<Error> wrong_own() {
  return fail(ErrorCode::forbidden, "The password is wrong.");
}

using Sessions = std::vector<catalog::WebSession>;

Result<Sessions> without_expired(Result<Sessions> sessions) {
  const auto expires = [at = now()](const catalog::WebSession& one) {
    return has_expired(one, at);
  };
  if (sessions) std::erase_if(*sessions, expires);
  return sessions;
}

/// The limits of one that is known.
PasswordChecks::Question question_of(std::string subject) {
  PasswordChecks::Question question;
  question.cleared = {limit_of_one(std::move(subject))};
  return question;
}

PasswordChecks::Question question_of_session(const Principal& principal) {
  return question_of("session " + principal.session->id.value);
}

/// The limits of a stranger at what `subject` names. A typed name stands last in it, so that none
/// reads like another subject.
PasswordChecks::Question question_of(const std::string& subject, const PasswordAsker& stranger) {
  PasswordChecks::Question question;
  question.cleared = {limit_of_one("from " + stranger.holder + ": " + subject),
                      limit_of_strangers(subject)};
  question.eased = {limit_of_address(stranger.holder)};
  return question;
}

}  // namespace

Task<Result<catalog::Account>> SignInService::renewed_hash(PasswordQueue::Place& place,
                                                           catalog::Account account,
                                                           std::string password) {
  if (!needs_new_hash(account.password_hash)) co_return account;
  CO_TRY(auto fresh, co_await place.hash(std::move(password)));
  CO_TRY_VOID(co_await catalog_.accounts().renew_hash(account.id, account.password_hash, fresh));
  account.password_hash = std::move(fresh);
  co_return account;
}

Task<Result<catalog::Account>> SignInService::account_named(std::string name,
                                                            const SignInClient& client) {
  const auto turn = catalog::Turn::of(PasswordAsker::at(client.address).holder);
  auto account = co_await catalog_.accounts().find(turn, name);
  if (account || account.error().code != ErrorCode::not_found) co_return account;
  catalog::Account none;
  none.name = cut_utf8(name, kLongestName);
  co_return none;
}

Task<Result<catalog::Account>> SignInService::check_password(std::string name, std::string password,
                                                             SignInClient client) {
  CO_TRY(auto account, co_await account_named(name, client));
  // An unknown name is not noted: it may be a password that was typed in its place.
  const std::string known = account.id == AccountId() ? std::string() : account.name;
  if (directory_ != nullptr && account.password_hash.empty()) {
    // Another spelling is no other count: to the directory it is the same name.
    auto question = question_of("account " + std::string(cut_utf8(fold_name(name), kLongestName)),
                                PasswordAsker::at(client.address));
    co_return co_await check_by_directory(std::move(name), std::move(password), std::move(client),
                                          std::move(question), known);
  }
  const KnownDevice device = KnownDevice::parse(client.device);
  const bool is_known = device.knows(account);
  const PasswordAsker asker =
      is_known ? PasswordAsker::of(account.id) : PasswordAsker::at(client.address);
  CO_TRY(auto place, passwords_.enter(asker));
  // A device has a count for each account, which neither its address nor strangers raise.
  auto question = is_known ? question_of(fmt::format("device {} {}", device.id(), account.id.value))
                           : question_of("account " + account.name, asker);
  question.password = password;
  if (!account.disabled) question.hash = account.password_hash;
  CO_TRY(const auto matches, co_await checks_.check(place, std::move(question)));
  if (!matches) co_return co_await refused(known, client.address);
  co_return co_await renewed_hash(place, std::move(account), std::move(password));
}

Task<Result<catalog::Account>> SignInService::refused(std::string known, std::string address) {
  catalog::Actor actor{"", std::move(address)};
  CO_TRY_VOID(co_await catalog_.audit().add(catalog::AuditKind::session_refused, std::move(actor),
                                            std::move(known)));
  co_return wrong();
}

Task<Result<catalog::Account>> SignInService::check_by_directory(std::string name,
                                                                 std::string password,
                                                                 SignInClient client,
                                                                 PasswordChecks::Question question,
                                                                 std::string known) {
  DirectoryAnswer answer;
  std::function<Task<Result<bool>>()> ask = [&] {
    return ask_directory(name, password, client.address, answer);
  };
  CO_TRY(const bool is_right, co_await checks_.check_by(std::move(question), std::move(ask)));
  if (!is_right) co_return co_await refused(std::move(known), std::move(client.address));
  if (answer.refusal) co_return std::unexpected(*std::move(answer.refusal));
  co_return *std::move(answer.account);
}

Task<Result<bool>> SignInService::ask_directory(const std::string& name,
                                                const std::string& password,
                                                const std::string& address,
                                                DirectoryAnswer& answer) {
  auto found = co_await directory_->sign_in(name, password, address);
  // Who may not sign in here has shown the right password.
  if (!found && found.error().code == ErrorCode::forbidden) {
    answer.refusal = found.error();
    co_return true;
  }
  if (!found) co_return failure_of(std::move(found));
  answer.account = *std::move(found);
  co_return answer.account.has_value();
}

Task<Result<SignedIn>> SignInService::open_session(const catalog::Account& account,
                                                   catalog::SessionOrigin origin,
                                                   std::optional<catalog::UsedFactor> factor,
                                                   SignInClient client) {
  std::string token = random_hex(kTokenBytes);
  KnownDevice device = KnownDevice::parse(client.device);
  device.add(account);
  catalog::NewWebSession wanted;
  wanted.account = account.id;
  wanted.password_hash = account.password_hash;
  wanted.address = std::move(client.address);
  wanted.agent = std::move(client.agent);
  wanted.hash = hash_secret(token);
  wanted.origin = std::move(origin);
  wanted.factor = std::move(factor);
  const auto made = co_await catalog_.web_sessions().create(std::move(wanted), kMostSessions);
  if (!made) co_return failure_of(made);
  CO_TRY(auto principal, co_await by_token(token));
  co_return SignedIn{std::move(principal), std::move(token), device.str()};
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

Task<Result<catalog::Account>> SignInService::check_own(PasswordQueue::Place& place,
                                                        const Principal& principal,
                                                        std::string password) {
  CO_TRY(auto account, co_await catalog_.accounts().get(principal.account->id));
  auto question = question_of_session(principal);
  question.password = std::move(password);
  question.hash = account.password_hash;
  CO_TRY(const auto matches, co_await checks_.check(place, std::move(question)));
  if (!matches) co_return wrong_own();
  co_return account;
}

Task<Result<bool>> SignInService::is_of_directory(const catalog::Account& account) {
  if (directory_ == nullptr || !account.password_hash.empty()) co_return false;
  co_return co_await directory_->knows(account.id);
}

Task<Result<bool>> SignInService::has_password(const catalog::Account& account) {
  if (!account.password_hash.empty()) co_return true;
  co_return co_await is_of_directory(account);
}

Task<Result<catalog::Account>> SignInService::check_own_by_directory(const Principal& principal,
                                                                     std::string password) {
  CO_TRY(auto account, co_await catalog_.accounts().get(principal.account->id));
  auto question = question_of_session(principal);
  std::function<Task<Result<bool>>()> ask = [&] {
    return directory_->is_password(account.id, password);
  };
  CO_TRY(const bool is_right, co_await checks_.check_by(std::move(question), std::move(ask)));
  if (!is_right) co_return wrong_own();
  co_return account;
}

Task<Result<catalog::Account>> SignInService::check_own_password(const Principal& principal,
                                                                 std::string password) {
  CO_TRY(const bool is_of_directory, co_await this->is_of_directory(*principal.account));
  if (is_of_directory) {
    co_return co_await check_own_by_directory(principal, std::move(password));
  }
  CO_TRY(auto place, passwords_.enter(PasswordAsker::of(principal)));
  co_return co_await check_own(place, principal, std::move(password));
}

Task<Result<std::string>> SignInService::change_password(const Principal& principal,
                                                         std::string current, std::string fresh,
                                                         std::string_view device) {
  CO_TRY_VOID(core::check_password(fresh));
  CO_TRY(const bool is_of_directory, co_await this->is_of_directory(*principal.account));
  if (is_of_directory) {
    co_return fail(ErrorCode::forbidden,
                   "Your password is that of the directory: change it there.");
  }
  CO_TRY(auto place, passwords_.enter(PasswordAsker::of(principal)));
  CO_TRY(auto account, co_await check_own(place, principal, std::move(current)));
  catalog::AccountChange change;
  CO_TRY(change.password_hash, co_await place.hash(std::move(fresh)));
  change.if_password_hash = std::exchange(account.password_hash, *change.password_hash);
  change.kept_session = principal.session->id;
  change.asker = asker_of(principal);
  const auto changed = co_await catalog_.accounts().change(account.id, std::move(change));
  if (!changed) co_return failure_of(changed);
  KnownDevice known = KnownDevice::parse(device);
  known.add(account);
  co_return known.str();
}

Task<Result<void>> SignInService::check_guest(std::string subject, std::string password,
                                              std::string hash, std::string address) {
  const PasswordAsker asker = PasswordAsker::at(address);
  CO_TRY(auto place, passwords_.enter(asker));
  auto question = question_of(subject, asker);
  question.password = std::move(password);
  question.hash = std::move(hash);
  CO_TRY(const auto matches, co_await checks_.check(place, std::move(question)));
  if (!matches) co_return fail(ErrorCode::unauthenticated, "The password is wrong.");
  co_return Result<void>{};
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

Task<Result<void>> SignInService::drop_expired(ProvidedSessionLives lives) {
  const Timestamp at = now();
  using enum catalog::SignInMethod;
  CO_TRY_VOID(co_await catalog_.web_sessions().end_older_of(oidc, at - lives.of_provider));
  CO_TRY_VOID(co_await catalog_.web_sessions().end_older_of(proxy, at - lives.of_proxy));
  co_return co_await catalog_.web_sessions().end_older(at - kSessionLifetime,
                                                       at - kSessionIdleLimit);
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
