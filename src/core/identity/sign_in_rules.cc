#include "core/identity/sign_in_rules.h"

namespace coffer::core {

Result<void> check_password_allowed(const SignInRules& rules, catalog::Role role) {
  const bool is_admin = role == catalog::Role::admin;
  const bool is_allowed = rules.password == PasswordSignIn::everyone ||
                          (rules.password == PasswordSignIn::admins && is_admin);
  if (is_allowed) return {};
  return fail(ErrorCode::forbidden, "Passwords are not taken here: sign in in another way.");
}

Result<void> check_is_protected(const SignInRules& rules, const Principal& principal) {
  if (!principal.session || principal.has_second_factor) return {};
  const auto method = principal.session->method;
  if (method != catalog::SignInMethod::password && method != catalog::SignInMethod::setup_link) {
    return {};
  }
  const bool is_admin = principal.account->role == catalog::Role::admin;
  const bool is_needed = rules.second_factor == SecondFactorNeed::everyone ||
                         (rules.second_factor == SecondFactorNeed::admins && is_admin);
  if (!is_needed) return {};
  return fail(ErrorCode::forbidden,
              "Your account must have a second factor here: set up an authenticator or a passkey "
              "first.");
}

}  // namespace coffer::core
