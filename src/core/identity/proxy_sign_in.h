#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/accounts/account_service.h"
#include "core/identity/identity_provider.h"
#include "core/identity/person_accounts.h"
#include "core/namespace/principal.h"
#include "core/sessions/sign_in_service.h"

namespace coffer::core {

/// The person of a request as a trusted proxy names them, in the values of two headers.
struct ProxyWords {
  std::string user;
  std::optional<std::string> groups = {};  ///< Separated by commas; nullopt if there is no header.
};

/// Returns the person, whose identity is the name as it is. `invalid` if the name is empty, longer
/// than 255 bytes, no UTF-8, or has a control character, a comma, or a blank at one of its ends; or
/// if a group has more than 256 bytes or such a character, or there are more than 1000.
Result<ProvidedPerson> person_of(const ProxyWords& words);

/// Signs people in whom a proxy in front of the server names, which alone checks who they are. Safe
/// from any thread.
class ProxySignIn {
 public:
  ProxySignIn(catalog::Catalog& catalog, PersonAccounts accounts, SignInService& sign_in)
      : catalog_(catalog), accounts_(std::move(accounts)), sign_in_(sign_in) {}

  /// Opens a session for the person. Refusals are noted in the audit log. Errors: those of
  /// `person_of` and PersonAccounts::of.
  Task<Result<SignedIn>> sign_in(ProxyWords words, SignInClient client);
  /// Confirms the principal's session (see check_confirmed). `forbidden` if the proxy names another
  /// person than one who signs in to its account.
  Task<Result<void>> confirm(const Principal& principal, ProxyWords words);
  /// See PersonAccounts::foresee.
  Task<Result<ForeseenSignIn>> foresee(ProxyWords words);
  /// See PersonAccounts::check_by_hand.
  Task<Result<void>> check_by_hand(std::string name, std::optional<catalog::Role> role,
                                   std::optional<std::uint64_t> quota_bytes) {
    co_return co_await accounts_.check_by_hand(std::move(name), role, quota_bytes);
  }

 private:
  Task<Result<SignedIn>> open(const ProxyWords& words, const SignInClient& client);

  catalog::Catalog& catalog_;
  PersonAccounts accounts_;
  SignInService& sign_in_;
};

}  // namespace coffer::core
