#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/connectors/circuit_breaker.h"
#include "core/identity/identity_provider.h"
#include "core/identity/person_accounts.h"
#include "core/identity/sign_in_probe.h"
#include "core/identity/sign_in_rules.h"
#include "core/sessions/password_directory.h"

namespace coffer::core {

/// What a test of a directory finds.
struct DirectoryProbe {
  ProbeStep bind;                             ///< The sign-in of this server's own entry.
  std::optional<ProbeStep> base = {};         ///< Absent if that failed.
  std::optional<ProbeStep> search = {};       ///< Absent if that failed, or nobody was looked for.
  std::optional<ProvidedPerson> person = {};  ///< Absent if there is none of the name.
};

/// A directory that people's passwords are checked by, such as one of LDAP. `unavailable` and
/// `timed_out` if it cannot be asked, `refused` if what it says of a person is of no use,
/// `overloaded` if too many calls wait for it. Safe from any thread.
class Directory {
 public:
  virtual ~Directory() = default;
  /// Returns the person with this name and password; nullopt if one of them is wrong.
  virtual Task<Result<std::optional<ProvidedPerson>>> check(std::string name,
                                                            std::string password) = 0;
  /// Returns true if it is the password of the person of this IdentityName::subject.
  virtual Task<Result<bool>> check_subject(std::string subject, std::string password) = 0;
  /// Signs this server in, looks for the entry below which people are, and for a person if there is
  /// a name. Fails only with `overloaded`.
  virtual Task<Result<DirectoryProbe>> probe(std::optional<std::string> name) = 0;
  /// Returns the IdentityName::issuer of its people.
  virtual const std::string& issuer() const = 0;
};

/// Signs people in by a directory. Does not ask one that was down a moment ago. Safe from any
/// thread.
class DirectorySignIn final : public PasswordDirectory {
 public:
  DirectorySignIn(catalog::Catalog& catalog, PersonAccounts accounts, Directory& directory)
      : catalog_(catalog), accounts_(std::move(accounts)), directory_(directory) {}

  Task<Result<std::optional<catalog::Account>>> sign_in(std::string name, std::string password,
                                                        std::string address) override;
  Task<Result<bool>> knows(AccountId account) override;
  Task<Result<bool>> is_password(AccountId account, std::string password) override;

  /// See Directory::probe. Asks the directory also if it was down a moment ago.
  Task<Result<DirectoryProbe>> probe(std::optional<std::string> name) {
    co_return co_await directory_.probe(std::move(name));
  }
  /// Returns what the right password for `name`, which is the person's, would do under these rules
  /// (see PersonAccounts::foresee).
  Task<Result<ForeseenSignIn>> foresee(std::string name, const ProvidedPerson& person,
                                       const SignInRules& rules);

  /// See PersonAccounts::check_by_hand.
  Task<Result<void>> check_by_hand(std::string name, std::optional<catalog::Role> role,
                                   std::optional<std::uint64_t> quota_bytes) {
    co_return co_await accounts_.check_by_hand(std::move(name), role, quota_bytes);
  }

 private:
  /// Returns the person's IdentityName::subject in the directory; nullopt if it knows none.
  Task<Result<std::optional<std::string>>> subject_of(AccountId account);
  Task<Result<std::optional<ProvidedPerson>>> ask(std::string name, std::string password);

  catalog::Catalog& catalog_;
  PersonAccounts accounts_;
  Directory& directory_;
  CircuitBreaker breaker_{"The directory", &CircuitBreaker::Clock::now};
};

}  // namespace coffer::core
