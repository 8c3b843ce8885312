#pragma once

#include <cstdint>

#include "base/enum_words.h"
#include "base/error.h"
#include "catalog/account.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// Whose accounts must have a second factor.
enum class SecondFactorNeed : std::uint8_t { optional, admins, everyone };
constexpr auto words_of(SecondFactorNeed) {
  return enum_words<SecondFactorNeed>({{SecondFactorNeed::optional, "optional"},
                                       {SecondFactorNeed::admins, "admins"},
                                       {SecondFactorNeed::everyone, "everyone"}});
}

/// Who may sign in with a password.
enum class PasswordSignIn : std::uint8_t { everyone, admins, nobody };
constexpr auto words_of(PasswordSignIn) {
  return enum_words<PasswordSignIn>({{PasswordSignIn::everyone, "everyone"},
                                     {PasswordSignIn::admins, "admins"},
                                     {PasswordSignIn::nobody, "nobody"}});
}

/// What the settings say of sign-ins.
struct SignInRules {
  PasswordSignIn password = PasswordSignIn::everyone;
  SecondFactorNeed second_factor = SecondFactorNeed::optional;
  bool passkeys = true;
};

/// `forbidden` if accounts of this role may not sign in with a password.
Result<void> check_password_allowed(const SignInRules& rules, catalog::Role role);
/// `forbidden` if the principal's session began with a password alone, or with the link of the
/// set-up, and its account must have a second factor and has none. Providers and proxies
/// see to their own.
Result<void> check_is_protected(const SignInRules& rules, const Principal& principal);

}  // namespace coffer::core
