#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/accounts/account_service.h"
#include "core/identity/identity_provider.h"
#include "core/identity/person_rules.h"

namespace coffer::core {

/// A place that knows people.
enum class PeopleSource : std::uint8_t { provider, directory, proxy };

/// The beginning of a directory's IdentityName::issuer. A provider's is an address of HTTP.
constexpr std::string_view kDirectoryIssuer = "ldap:";
/// The IdentityName::issuer of the people whom proxies name.
constexpr std::string_view kProxyIssuer = "proxy";

/// What a sign-in of a person would do.
struct ForeseenSignIn {
  std::optional<std::string> refusal = {};  ///< Why there would be no session; absent: none.
  /// The account as it would be; the name is the one that it would get. Absent if there is none and
  /// none would be made.
  std::optional<catalog::Account> account = {};
  bool is_new = false;  ///< The account would be made.
  /// An account that has the person's name, and that the person does not sign in to.
  std::optional<std::string> namesake = {};
  /// The groups here that the account would be in because of the person's; nullopt if nothing is
  /// said of groups, so that they stay.
  std::optional<std::vector<std::string>> groups = {};
};

struct PersonAccountsOptions {
  PeopleSource source = PeopleSource::provider;
  PersonRules rules = {};
  bool creates = true;        ///< A person without an account gets one.
  bool gives_quotas = false;  ///< Quotas follow what the place says.
};

/// Finds the accounts of people that another place knows: by the person's identity alone, never by
/// a name or an e-mail address, which another person may get. Safe from any thread.
class PersonAccounts {
 public:
  PersonAccounts(catalog::Catalog& catalog, AccountService& accounts, PersonAccountsOptions options)
      : catalog_(catalog), accounts_(accounts), options_(std::move(options)) {}

  /// `forbidden` if the person's groups do not allow a sign-in.
  Result<void> check_is_allowed(const ProvidedPerson& person) const {
    return core::check_is_allowed(options_.rules, person);
  }
  /// Returns the person's account, and makes one if there is none. Its role, quota and groups
  /// follow what the place says. `forbidden` if the person may not sign in here, the account is
  /// disabled, or there is none and none is made. `address` is the client's.
  Task<Result<catalog::Account>> of(const ProvidedPerson& person, const std::string& address);

  /// Returns what `of` would do, and changes nothing.
  Task<Result<ForeseenSignIn>> foresee(const ProvidedPerson& person);

  /// `forbidden` if the role or the quota of a person of the place is to be changed by hand and the
  /// place gives it: at the next sign-in it would be what it was.
  Task<Result<void>> check_by_hand(std::string name, std::optional<catalog::Role> role,
                                   std::optional<std::uint64_t> quota_bytes);

 private:
  Task<Result<catalog::Account>> find(const ProvidedPerson& person, const std::string& address);
  Task<Result<catalog::Account>> make(const ProvidedPerson& person, const std::string& address);
  Task<Result<void>> lose_rights(const ProvidedPerson& person, const std::string& address);
  bool knows(const catalog::Identity& identity) const;
  const char* reason_for_no_account() const;
  /// Returns the fields of a new account. `forbidden` if none may be made.
  Task<Result<AccountPatch>> described(const ProvidedPerson& person);
  Task<Result<void>> foresee_account(const ProvidedPerson& person, ForeseenSignIn& foreseen);
  Task<Result<void>> foresee_new(const ProvidedPerson& person, ForeseenSignIn& foreseen);

  catalog::Catalog& catalog_;
  AccountService& accounts_;
  const PersonAccountsOptions options_;
};

}  // namespace coffer::core
