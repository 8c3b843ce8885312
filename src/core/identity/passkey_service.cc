#include "core/identity/passkey_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <span>
#include <utility>

#include "base/encoding.h"
#include "base/random.h"
#include "base/text.h"
#include "core/identity/recovery_codes.h"
#include "core/keys/authenticator.h"
#include "core/sessions/guess_limits.h"
#include "webauthn/client_data.h"

namespace coffer::core {
namespace {

constexpr std::chrono::minutes kPasskeyChallengeLife{5};
constexpr std::string_view kPasskeyPurpose = "passkey 1";
constexpr std::size_t kChallengeLines = 5;
constexpr std::size_t kNonceBytes = 16;

std::unexpected<Error> begin_again() {
  return fail(ErrorCode::unauthenticated, "This took too long, or was used already: begin again.");
}

std::unexpected<Error> not_verified() {
  return fail(ErrorCode::unauthenticated,
              "The passkey did not ask who you are, by a PIN or a finger: set that up in it.");
}

bool is_ipv4(std::string_view host) {
  return host.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// Whoever is signed in stays so.
template <class T>
Result<T> as_forbidden(Result<T> result) {
  if (result || result.error().code != ErrorCode::unauthenticated) return result;
  return fail(ErrorCode::forbidden, result.error().message);
}

std::string address_subject(const SignInClient& client) {
  return "passkey " + PasswordAsker::at(client.address).holder;
}

}  // namespace

std::optional<PasskeyDomain> PasskeyDomain::of(std::string_view origin) {
  const auto scheme = origin.find("://");
  if (scheme == std::string_view::npos) return std::nullopt;
  const std::string_view host = origin.substr(scheme + 3);
  if (host.starts_with('[')) return std::nullopt;
  const std::string_view name = host.substr(0, host.find(':'));
  const bool is_here = name == "localhost";
  const bool is_secure = origin.starts_with("https://");
  if (name.empty() || is_ipv4(name) || (!is_secure && !is_here)) return std::nullopt;
  return PasskeyDomain{to_lower(name), to_lower(origin)};
}

/// What a browser is asked with. It is a sealed text, so that nothing is stored for who goes no
/// further.
struct PasskeyService::Challenge {
  AccountId account = {};    ///< Whose passkeys may answer; none: any account's.
  std::string session = {};  ///< Of a registration: the session that asked; empty: a sign-in.
  Timestamp ends_at = std::chrono::floor<std::chrono::seconds>(now() + kPasskeyChallengeLife);
  std::string text = {};  ///< As it was sealed.
};

/// A passkey whose answer is right.
struct PasskeyService::Checked {
  catalog::PasskeyOwner owner;
  catalog::UsedPasskey used;
  Challenge challenge;
};

std::string PasskeyService::seal(const Challenge& challenge) const {
  const std::string sealed = sealer_.seal(fmt::format(
      "{}\n{}\n{}\n{}\n{}", kPasskeyPurpose, challenge.account.value, challenge.session,
      challenge.ends_at.time_since_epoch() / std::chrono::seconds(1), random_hex(kNonceBytes)));
  return to_base64url(sealed);
}

Result<PasskeyService::Challenge> PasskeyService::open(std::string_view client_data,
                                                       std::string_view type,
                                                       const PasskeyDomain& domain) const {
  TRY(const auto data, webauthn::read_client_data(client_data));
  TRY_VOID(webauthn::check_client_data(data, type, domain.origin));
  const auto opened = sealer_.open(data.challenge);
  if (!opened) return begin_again();
  std::vector<std::string> lines;
  for (const auto line : *opened | std::views::split('\n')) {
    lines.emplace_back(line.begin(), line.end());
  }
  if (lines.size() != kChallengeLines || lines[0] != kPasskeyPurpose) return begin_again();
  const auto account = parse_number<long long>(lines[1]);
  const auto ends_at = parse_number<std::int64_t>(lines[3]);
  if (!account || !ends_at) return begin_again();
  Challenge challenge;
  challenge.account = AccountId{*account};
  challenge.session = lines[2];
  challenge.ends_at = Timestamp(std::chrono::seconds(*ends_at));
  challenge.text = data.challenge;
  if (challenge.ends_at <= now()) return begin_again();
  return challenge;
}

Task<Result<void>> PasskeyService::spend(const Challenge& challenge) {
  const auto hash = hash_secret(challenge.text);
  const auto turn = catalog::Turn::of(hash);
  CO_TRY(const bool is_first,
         co_await catalog_.sign_in_flows().spend(turn, hash, challenge.ends_at));
  if (!is_first) co_return begin_again();
  co_return Result<void>{};
}

std::string PasskeyService::user_id_of(AccountId account) const {
  const auto tag = sealer_.tag("passkey user", fmt::format("{}", account.value));
  return to_base64url({reinterpret_cast<const char*>(tag.data()), tag.size()});
}

Task<Result<PasskeyRegistration>> PasskeyService::begin_registration(const Principal& principal) {
  const AccountId account = principal.account->id;
  Challenge challenge;
  challenge.account = account;
  challenge.session = principal.session->id.value;
  PasskeyRegistration begun;
  begun.challenge = seal(challenge);
  for (const auto& row : words_of(webauthn::Algorithm())) {
    begun.algorithms.push_back(static_cast<std::int64_t>(row.value));
  }
  begun.user_id = user_id_of(account);
  CO_TRY(begun.passkeys, co_await catalog_.passkeys().list(account));
  co_return begun;
}

Task<Result<RegisteredPasskey>> PasskeyService::add(const Principal& principal,
                                                    PasskeyDomain domain, std::string name,
                                                    MadePasskey made) {
  const AccountId account = principal.account->id;
  CO_TRY(const auto challenge, as_forbidden(open(made.client_data, "webauthn.create", domain)));
  if (challenge.account != account || challenge.session != principal.session->id.value) {
    co_return fail(ErrorCode::forbidden, "The passkey was made for another session.");
  }
  auto work = [&] { return webauthn::read_registration(domain.rp_id, made.authenticator_data); };
  auto read = co_await pool_.run(std::move(work));
  CO_TRY(const auto fresh, as_forbidden(std::move(read)));
  if (!fresh.state.is_user_verified)
    co_return as_forbidden(Result<RegisteredPasskey>(not_verified()));
  auto spent = co_await spend(challenge);
  CO_TRY_VOID(as_forbidden(std::move(spent)));
  RegisteredPasskey added;
  added.passkey.account = account;
  added.passkey.credential_id = to_base64url(fresh.credential_id);
  added.passkey.algorithm = static_cast<std::int64_t>(fresh.algorithm);
  added.passkey.public_key = to_base64url(fresh.public_key);
  added.passkey.counter = fresh.state.counter;
  added.passkey.transports = fmt::format("{}", fmt::join(made.transports, ","));
  added.passkey.aaguid = to_hex(std::as_bytes(std::span(fresh.aaguid)));
  added.passkey.is_backed_up = fresh.state.is_backed_up;
  added.passkey.name = std::move(name);
  auto codes = new_recovery_codes();
  auto hashes = hashes_of_recovery_codes(sealer_, account, codes);
  auto asker = asker_of(principal);
  CO_TRY(auto stored,
         co_await catalog_.passkeys().add(added.passkey, std::move(hashes), std::move(asker)));
  added.passkey = std::move(stored.passkey);
  if (stored.is_first) added.recovery_codes = shown_recovery_codes(std::move(codes));
  co_return added;
}

Task<Result<PasskeyRequest>> PasskeyService::begin_sign_in(std::optional<std::string> second_step) {
  Challenge challenge;
  PasskeyRequest request;
  if (second_step) {
    CO_TRY(const auto account, co_await second_factors_.challenged(*std::move(second_step)));
    challenge.account = account.id;
    CO_TRY(request.passkeys, co_await catalog_.passkeys().list(account.id));
  }
  request.challenge = seal(challenge);
  co_return request;
}

/// Checks all of an answer. Nothing is changed but that its request is spent, last of all.
Task<Result<PasskeyService::Checked>> PasskeyService::check(const PasskeyDomain& domain,
                                                            const ShownPasskey& shown,
                                                            const catalog::Turn& turn) {
  Checked checked;
  CO_TRY(checked.challenge, open(shown.answer.client_data, "webauthn.get", domain));
  if (!checked.challenge.session.empty()) co_return begin_again();
  CO_TRY(auto owner, co_await catalog_.passkeys().find(turn, shown.credential_id));
  if (!owner) {
    co_return fail(ErrorCode::unauthenticated,
                   "No account here has this passkey: it was removed, or is another server's.");
  }
  checked.owner = *std::move(owner);
  const catalog::Passkey& passkey = checked.owner.passkey;
  const AccountId asked = checked.challenge.account;
  const bool is_of_account = asked == AccountId() || asked == passkey.account;
  if (!is_of_account || (shown.user_id && *shown.user_id != user_id_of(passkey.account))) {
    co_return fail(ErrorCode::unauthenticated, "The passkey is another account's.");
  }
  const std::string key = from_base64url(passkey.public_key).value_or("");
  const auto algorithm = static_cast<webauthn::Algorithm>(passkey.algorithm);
  auto work = [&] { return webauthn::check_assertion(domain.rp_id, algorithm, key, shown.answer); };
  CO_TRY(const auto state, co_await pool_.run(std::move(work)));
  if (!state.is_user_verified) co_return not_verified();
  CO_TRY_VOID(co_await spend(checked.challenge));
  checked.used = {passkey.id, state.counter, state.is_backed_up};
  co_return checked;
}

Task<Result<SignedIn>> PasskeyService::sign_in(PasskeyDomain domain, ShownPasskey shown,
                                               SignInClient client) {
  const std::string subject = address_subject(client);
  std::vector<catalog::SignInLimit> limits;
  limits.push_back(limit_of_address(subject));
  CO_TRY(const auto wait, co_await catalog_.sign_in_failures().begin_attempt(std::move(limits)));
  if (wait.time > std::chrono::seconds(0)) {
    co_return std::unexpected(too_many_failures(wait.time));
  }
  const auto turn = catalog::Turn::of(subject);
  auto checked = co_await check(domain, shown, turn);
  if (!checked && checked.error().code == ErrorCode::unauthenticated) {
    catalog::Actor actor{"", client.address};
    CO_TRY_VOID(co_await catalog_.audit().add(catalog::AuditKind::session_refused, std::move(actor),
                                              std::string(), checked.error().message));
  }
  if (!checked) co_return failure_of(std::move(checked));
  std::vector<std::string> eased = {subject};
  CO_TRY_VOID(co_await catalog_.sign_in_failures().succeeded({}, std::move(eased)));
  const catalog::Account& account = checked->owner.account;
  if (account.disabled) co_return fail(ErrorCode::forbidden, "The account here is disabled.");
  catalog::SessionOrigin origin{catalog::SignInMethod::passkey};
  std::optional<catalog::UsedFactor> used = checked->used;
  co_return co_await sign_in_.open_session(account, std::move(origin), std::move(used),
                                           std::move(client));
}

Task<Result<void>> PasskeyService::confirm(const Principal& principal, PasskeyDomain domain,
                                           ShownPasskey shown) {
  const std::string subject = "passkey in session " + principal.session->id.value;
  std::vector<catalog::SignInLimit> limits;
  limits.push_back(limit_of_one(subject));
  CO_TRY(const auto wait, co_await catalog_.sign_in_failures().begin_attempt(std::move(limits)));
  if (wait.time > std::chrono::seconds(0)) {
    co_return std::unexpected(too_many_failures(wait.time));
  }
  const auto turn = catalog::Turn::of(subject);
  auto answer = co_await check(domain, shown, turn);
  CO_TRY(const auto checked, as_forbidden(std::move(answer)));
  if (checked.owner.account.id != principal.account->id) {
    co_return fail(ErrorCode::forbidden, "The passkey is another account's.");
  }
  std::vector<std::string> cleared = {subject};
  CO_TRY_VOID(co_await catalog_.sign_in_failures().succeeded(std::move(cleared), {}));
  std::optional<catalog::UsedFactor> used = checked.used;
  auto confirmed = co_await catalog_.web_sessions().confirm(
      checked.owner.account.id, principal.session->id, checked.owner.account.password_hash,
      std::move(used));
  co_return as_forbidden(std::move(confirmed));
}

Task<Result<std::vector<catalog::Passkey>>> PasskeyService::list(const Principal& principal) {
  co_return co_await catalog_.passkeys().list(principal.account->id);
}

Task<Result<void>> PasskeyService::rename(const Principal& principal, std::string id,
                                          std::string name) {
  co_return co_await catalog_.passkeys().rename(principal.account->id, std::move(id),
                                                std::move(name), asker_of(principal));
}

Task<Result<void>> PasskeyService::remove(const Principal& principal, std::string id) {
  co_return co_await catalog_.passkeys().remove(principal.account->id, std::move(id),
                                                asker_of(principal));
}

}  // namespace coffer::core
