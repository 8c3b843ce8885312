#include "core/identity/second_factor_service.h"

#include <fmt/format.h>

#include <chrono>
#include <ranges>
#include <span>
#include <utility>

#include "base/encoding.h"
#include "base/random.h"
#include "base/text.h"
#include "core/identity/recovery_codes.h"
#include "core/identity/totp.h"
#include "core/keys/authenticator.h"
#include "core/sessions/guess_limits.h"
#include "core/sessions/known_device.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::minutes kChallengeLife{5};
constexpr std::string_view kChallengePurpose = "second factor 1";

std::unexpected<Error> sign_in_again() {
  return fail(ErrorCode::unauthenticated, "This took too long: sign in again.");
}

constexpr const char* kWrongCode =
    "The code is wrong. Take the one that the authenticator shows now, or a recovery code.";

/// A password that was changed meanwhile leaves the challenge without effect.
std::string state_of(const catalog::Account& account) {
  return to_hex(hash_secret(account.password_hash));
}

}  // namespace

/// The counts of wrong codes: the first ones are reset by a right one, the others only eased.
struct SecondFactorService::Limits {
  std::vector<catalog::SignInLimit> cleared;
  std::vector<catalog::SignInLimit> eased = {};

  static Limits of_client(const catalog::Account& account, const SignInClient& client) {
    const KnownDevice device = KnownDevice::parse(client.device);
    if (device.knows(account)) {
      return {
          {limit_of_one(fmt::format("code of {} at device {}", account.id.value, device.id()))}};
    }
    const std::string holder = PasswordAsker::at(client.address).holder;
    const std::string account_text = fmt::format("code of {}", account.id.value);
    return {{limit_of_one(account_text + " from " + holder), limit_of_strangers(account_text)},
            {limit_of_address(holder)}};
  }
  static Limits of_session(const Principal& principal) {
    return {{limit_of_one("code in session " + principal.session->id.value)}};
  }
  std::vector<catalog::SignInLimit> all() const {
    auto both = cleared;
    both.insert(both.end(), eased.begin(), eased.end());
    return both;
  }
};

std::string SecondFactorService::challenge_for(const catalog::Account& account) const {
  const auto ends_at = std::chrono::floor<std::chrono::seconds>(now() + kChallengeLife);
  return sealer_.seal(fmt::format("{}\n{}\n{}\n{}", kChallengePurpose, account.id.value,
                                  ends_at.time_since_epoch().count(), state_of(account)));
}

Task<Result<catalog::Account>> SecondFactorService::challenged(std::string challenge) {
  const auto opened = sealer_.open(challenge);
  if (!opened) co_return sign_in_again();
  std::vector<std::string> lines;
  for (const auto line : *opened | std::views::split('\n')) {
    lines.emplace_back(line.begin(), line.end());
  }
  if (lines.size() != 4 || lines[0] != kChallengePurpose) co_return sign_in_again();
  const auto id = parse_number<long long>(lines[1]);
  const auto ends_at = parse_number<std::int64_t>(lines[2]);
  if (!id || !ends_at || now().time_since_epoch() > std::chrono::seconds(*ends_at)) {
    co_return sign_in_again();
  }
  auto account = co_await catalog_.accounts().get(AccountId{*id});
  if (!account && account.error().code != ErrorCode::not_found) co_return account;
  if (!account || account->disabled || state_of(*account) != lines[3]) co_return sign_in_again();
  co_return account;
}

Result<std::optional<catalog::UsedFactor>> SecondFactorService::read(
    AccountId account, const catalog::SecondFactor& factor, std::string_view code) const {
  if (const std::string typed = typed_recovery_code(code); !typed.empty()) {
    return catalog::UsedFactor(hash_of_recovery_code(sealer_, account, typed));
  }
  if (!factor.has_totp()) return std::nullopt;
  TRY(const std::string secret, sealer_.open(factor.totp->sealed_secret));
  const auto step = step_of_code(secret, code, now());
  if (!step) return std::nullopt;
  return catalog::UsedFactor(catalog::TotpStep{*step});
}

Task<Result<catalog::UsedFactor>> SecondFactorService::attempt(const catalog::Account& account,
                                                               std::string code,
                                                               const Limits& limits,
                                                               std::string address) {
  CO_TRY(const auto wait, co_await catalog_.sign_in_failures().begin_attempt(limits.all()));
  if (wait.time > 0s) co_return std::unexpected(too_many_failures(wait.time));
  CO_TRY(const auto factor, co_await catalog_.second_factors().find(account.id));
  if (!factor.is_on()) co_return sign_in_again();
  CO_TRY(const auto used, read(account.id, factor, code));
  if (used) co_return *used;
  catalog::Actor actor{"", std::move(address)};
  CO_TRY_VOID(co_await catalog_.audit().add(catalog::AuditKind::session_refused, std::move(actor),
                                            account.name));
  co_return fail(ErrorCode::unauthenticated, kWrongCode);
}

Task<Result<void>> SecondFactorService::succeeded(Limits limits) {
  const auto subjects = [](const std::vector<catalog::SignInLimit>& all) {
    std::vector<std::string> names;
    for (const catalog::SignInLimit& one : all) names.push_back(one.subject);
    return names;
  };
  co_return co_await catalog_.sign_in_failures().succeeded(subjects(limits.cleared),
                                                           subjects(limits.eased));
}

Task<Result<SecondFactorService::Outcome>> SecondFactorService::sign_in(std::string name,
                                                                        std::string password,
                                                                        SignInClient client) {
  // Nobody's password is even looked at.
  CO_TRY_VOID(check_password_allowed(rules_, catalog::Role::admin));
  CO_TRY(const auto account,
         co_await sign_in_.check_password(std::move(name), std::move(password), client));
  CO_TRY_VOID(check_password_allowed(rules_, account.role));
  CO_TRY(const auto factor, co_await catalog_.second_factors().find(account.id));
  if (factor.is_on()) {
    SecondFactorChallenge wanted{challenge_for(account)};
    wanted.has_totp = factor.has_totp();
    wanted.has_passkey = factor.passkeys > 0 && rules_.passkeys;
    co_return wanted;
  }
  catalog::SessionOrigin origin{catalog::SignInMethod::password};
  std::optional<catalog::UsedFactor> no_factor;
  CO_TRY(auto signed_in, co_await sign_in_.open_session(account, std::move(origin),
                                                        std::move(no_factor), std::move(client)));
  co_return std::move(signed_in);
}

Task<Result<SignedIn>> SecondFactorService::complete(std::string challenge, std::string code,
                                                     SignInClient client) {
  CO_TRY(const auto account, co_await challenged(std::move(challenge)));
  Limits limits = Limits::of_client(account, client);
  CO_TRY(const auto used, co_await attempt(account, std::move(code), limits, client.address));
  const bool is_totp = std::holds_alternative<catalog::TotpStep>(used);
  catalog::SessionOrigin origin{is_totp ? catalog::SignInMethod::password_totp
                                        : catalog::SignInMethod::password_recovery};
  std::optional<catalog::UsedFactor> shown = used;
  auto signed_in = co_await sign_in_.open_session(account, std::move(origin), std::move(shown),
                                                  std::move(client));
  if (!signed_in) co_return signed_in;
  CO_TRY_VOID(co_await succeeded(std::move(limits)));
  co_return signed_in;
}

Task<Result<void>> SecondFactorService::confirm(const Principal& principal, std::string password,
                                                std::optional<std::string> code) {
  CO_TRY_VOID(check_password_allowed(rules_, principal.account->role));
  CO_TRY(const auto account, co_await sign_in_.check_own_password(principal, std::move(password)));
  CO_TRY(const auto factor, co_await catalog_.second_factors().find(account.id));
  Limits limits = Limits::of_session(principal);
  Result<void> confirmed;
  std::optional<catalog::UsedFactor> shown;
  if (!factor.is_on()) {
    confirmed = co_await catalog_.web_sessions().confirm(account.id, principal.session->id,
                                                         account.password_hash, std::move(shown));
    co_return confirmed;
  }
  if (!code) {
    co_return fail(ErrorCode::invalid,
                   "The account has a second factor: a code is needed too, in \"code\".");
  }
  const auto used = co_await attempt(account, *std::move(code), limits, principal.address);
  if (used) {
    shown = *used;
    confirmed = co_await catalog_.web_sessions().confirm(account.id, principal.session->id,
                                                         account.password_hash, std::move(shown));
  } else {
    confirmed = failure_of(used);
  }
  // Who is signed in stays so.
  if (!confirmed && confirmed.error().code == ErrorCode::unauthenticated) {
    co_return fail(ErrorCode::forbidden, confirmed.error().message);
  }
  if (!confirmed) co_return confirmed;
  co_return co_await succeeded(std::move(limits));
}

Task<Result<catalog::SecondFactor>> SecondFactorService::show(const Principal& principal) {
  co_return co_await catalog_.second_factors().find(principal.account->id);
}

Task<Result<std::set<AccountId>>> SecondFactorService::accounts() {
  co_return co_await catalog_.second_factors().accounts();
}

Task<Result<NewTotp>> SecondFactorService::begin_totp(const Principal& principal) {
  std::string secret(kTotpSecretBytes, '\0');
  fill_random(std::as_writable_bytes(std::span(secret)));
  CO_TRY_VOID(co_await catalog_.second_factors().begin_totp(
      principal.account->id, sealer_.seal(secret), asker_of(principal)));
  NewTotp made;
  made.secret = to_base32(secret);
  made.uri = totp_uri(principal.account->name, made.secret);
  co_return made;
}

Task<Result<std::vector<std::string>>> SecondFactorService::confirm_totp(const Principal& principal,
                                                                         std::string code) {
  const AccountId account = principal.account->id;
  CO_TRY(const auto factor, co_await catalog_.second_factors().find(account));
  if (!factor.totp || factor.has_totp()) {
    co_return fail(ErrorCode::changed, "No authenticator waits for its first code.");
  }
  CO_TRY(const std::string secret, sealer_.open(factor.totp->sealed_secret));
  const auto step = step_of_code(secret, code, now());
  if (!step) {
    co_return fail(ErrorCode::forbidden,
                   "The code is wrong. If the authenticator shows this one, look at the clock of "
                   "its device.");
  }
  auto codes = new_recovery_codes();
  CO_TRY_VOID(co_await catalog_.second_factors().confirm_totp(
      account, factor.totp->sealed_secret, catalog::TotpStep{*step},
      hashes_of_recovery_codes(sealer_, account, codes), asker_of(principal)));
  co_return shown_recovery_codes(std::move(codes));
}

Task<Result<void>> SecondFactorService::remove_totp(const Principal& principal) {
  co_return co_await catalog_.second_factors().remove_totp(principal.account->id,
                                                           asker_of(principal));
}

Task<Result<std::vector<std::string>>> SecondFactorService::renew_recovery_codes(
    const Principal& principal) {
  const AccountId account = principal.account->id;
  auto codes = new_recovery_codes();
  CO_TRY_VOID(co_await catalog_.second_factors().replace_codes(
      account, hashes_of_recovery_codes(sealer_, account, codes), asker_of(principal)));
  co_return shown_recovery_codes(std::move(codes));
}

Task<Result<void>> SecondFactorService::remove_of(std::string name,
                                                  std::optional<catalog::Asker> asker) {
  CO_TRY(const auto account,
         co_await catalog_.accounts().find(catalog::Turn::administration(), name));
  co_return co_await catalog_.second_factors().remove(account.id, std::move(asker));
}

}  // namespace coffer::core
