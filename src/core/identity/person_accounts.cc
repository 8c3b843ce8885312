#include "core/identity/person_accounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace coffer::core {
namespace {

/// So many accounts may have names of the same beginning.
constexpr unsigned kMostNumbers = 1000;

constexpr const char* kNoAccountAtProvider =
    "No account here is linked with this sign-in. Whoever has one signs in to it in another way, "
    "and links it in its settings.";
constexpr const char* kNoAccount =
    "No account here is linked with this sign-in: an administrator can link one.";

Result<void> check_is_enabled(const catalog::Account& account) {
  if (!account.disabled) return {};
  return fail(ErrorCode::forbidden, "The account here is disabled.");
}

std::unexpected<Error> no_name_is_free() {
  return fail(ErrorCode::forbidden,
              "No name is free for a new account: an administrator can link one.");
}

PeopleSource source_of(std::string_view issuer) {
  if (issuer == kProxyIssuer) return PeopleSource::proxy;
  return issuer.starts_with(kDirectoryIssuer) ? PeopleSource::directory : PeopleSource::provider;
}

std::string_view name_of(PeopleSource source) {
  switch (source) {
    case PeopleSource::provider:
      return "provider";
    case PeopleSource::directory:
      return "directory";
    case PeopleSource::proxy:
      break;
  }
  return "proxy";
}

}  // namespace

Task<Result<catalog::Account>> PersonAccounts::of(const ProvidedPerson& person,
                                                  const std::string& address) {
  if (const auto allowed = check_is_allowed(person); !allowed) {
    CO_TRY_VOID(co_await lose_rights(person, address));
    co_return failure_of(allowed);
  }
  CO_TRY(auto account, co_await find(person, address));
  CO_TRY_VOID(check_is_enabled(account));
  CO_TRY(account, co_await catalog_.accounts().follow(account.id, rights_of(options_.rules, person),
                                                      person.identity.issuer, address));
  if (person.groups) {
    std::vector<std::string> groups = *person.groups;
    CO_TRY_VOID(co_await catalog_.groups().follow(account.id, std::move(groups), address));
  }
  co_return account;
}

/// Of a person whose groups let in no more: its keys and other sessions are not to keep what
/// groups gave.
Task<Result<void>> PersonAccounts::lose_rights(const ProvidedPerson& person,
                                               const std::string& address) {
  CO_TRY(const auto known, co_await catalog_.identities().find(person.identity));
  if (!known || !person.groups) co_return Result<void>{};
  catalog::ClaimedRights rights;
  rights.role = rights_of(options_.rules, person).role;
  if (rights.role == catalog::Role::user) {
    CO_TRY([[maybe_unused]] const auto account,
           co_await catalog_.accounts().follow(known->id, std::move(rights), person.identity.issuer,
                                               address));
  }
  std::vector<std::string> groups = *person.groups;
  co_return co_await catalog_.groups().follow(known->id, std::move(groups), address);
}

const char* PersonAccounts::reason_for_no_account() const {
  const bool is_linked_by_owner = options_.source == PeopleSource::provider;
  return is_linked_by_owner ? kNoAccountAtProvider : kNoAccount;
}

Task<Result<catalog::Account>> PersonAccounts::find(const ProvidedPerson& person,
                                                    const std::string& address) {
  CO_TRY(auto known, co_await catalog_.identities().sign_in(person.identity));
  if (known) co_return *std::move(known);
  co_return co_await make(person, address);
}

Task<Result<AccountPatch>> PersonAccounts::described(const ProvidedPerson& person) {
  if (!options_.creates) co_return fail(ErrorCode::forbidden, reason_for_no_account());
  CO_TRY(const bool is_setup_open, co_await accounts_.is_setup_open());
  if (is_setup_open) {
    co_return fail(ErrorCode::forbidden, "This server is not set up yet.");
  }
  AccountPatch patch;
  patch.display_name = display_name_of(person);
  const auto rights = rights_of(options_.rules, person);
  patch.role = rights.role;
  patch.quota_bytes = rights.quota_bytes;
  if (!patch.quota_bytes && person.groups) {
    std::vector<std::string> groups = *person.groups;
    CO_TRY(patch.quota_bytes, co_await catalog_.groups().default_quota(std::move(groups)));
  }
  co_return patch;
}

Task<Result<catalog::Account>> PersonAccounts::make(const ProvidedPerson& person,
                                                    const std::string& address) {
  CO_TRY(const auto patch, co_await described(person));
  for (unsigned number = 1; number <= kMostNumbers; ++number) {
    auto made = co_await accounts_.add_with_identity(account_name_of(person, number), patch,
                                                     person.identity, address);
    if (made || made.error().code != ErrorCode::exists) co_return made;
  }
  co_return no_name_is_free();
}

Task<Result<ForeseenSignIn>> PersonAccounts::foresee(const ProvidedPerson& person) {
  ForeseenSignIn foreseen;
  auto allowed = check_is_allowed(person);
  if (allowed) allowed = co_await foresee_account(person, foreseen);
  if (allowed) allowed = check_is_enabled(*foreseen.account);
  if (!allowed && allowed.error().code != ErrorCode::forbidden) co_return failure_of(allowed);
  if (!allowed) foreseen.refusal = allowed.error().message;
  if (!person.groups) co_return foreseen;
  foreseen.groups.emplace();
  CO_TRY(const auto groups, co_await catalog_.groups().list());
  for (const catalog::GroupWithMembers& one : groups) {
    const bool is_in = std::ranges::count(*person.groups, one.group.name) > 0;
    if (one.group.from_provider && is_in) foreseen.groups->push_back(one.group.name);
  }
  co_return foreseen;
}

Task<Result<void>> PersonAccounts::foresee_account(const ProvidedPerson& person,
                                                   ForeseenSignIn& foreseen) {
  CO_TRY(const auto known, co_await catalog_.identities().find(person.identity));
  if (!known) co_return co_await foresee_new(person, foreseen);
  CO_TRY(foreseen.account,
         co_await catalog_.accounts().foresee(known->id, rights_of(options_.rules, person)));
  co_return Result<void>{};
}

Task<Result<void>> PersonAccounts::foresee_new(const ProvidedPerson& person,
                                               ForeseenSignIn& foreseen) {
  const auto turn = catalog::Turn::administration();
  catalog::Account account;
  for (unsigned number = 1; account.name.empty() && number <= kMostNumbers; ++number) {
    std::string name = account_name_of(person, number);
    const auto taken = co_await catalog_.accounts().find(turn, name);
    if (!taken && taken.error().code != ErrorCode::not_found) co_return failure_of(taken);
    if (!taken) account.name = std::move(name);
    if (taken && number == 1) foreseen.namesake = taken->name;
  }
  CO_TRY(const auto patch, co_await described(person));
  if (account.name.empty()) co_return no_name_is_free();
  account.display_name = patch.display_name.value_or(account.name);
  account.role = patch.role.value_or(catalog::Role::user);
  account.quota_bytes = patch.quota_bytes.value_or(0);
  foreseen.account = std::move(account);
  foreseen.is_new = true;
  co_return Result<void>{};
}

bool PersonAccounts::knows(const catalog::Identity& identity) const {
  return source_of(identity.name.issuer) == options_.source;
}

Task<Result<void>> PersonAccounts::check_by_hand(std::string name,
                                                 std::optional<catalog::Role> role,
                                                 std::optional<std::uint64_t> quota_bytes) {
  if (!role && !quota_bytes) co_return Result<void>{};
  CO_TRY(const auto account,
         co_await catalog_.accounts().find(catalog::Turn::administration(), std::move(name)));
  CO_TRY(const auto identities, co_await catalog_.identities().list(account.id));
  const bool gives_roles = !options_.rules.admin_groups.empty();
  const bool changes_role = gives_roles && role && *role != account.role;
  const bool changes_quota =
      options_.gives_quotas && quota_bytes && *quota_bytes != account.quota_bytes;
  const bool is_known = std::ranges::any_of(
      identities, [this](const catalog::Identity& identity) { return knows(identity); });
  if (!is_known || (!changes_role && !changes_quota)) co_return Result<void>{};
  co_return fail(ErrorCode::forbidden,
                 fmt::format("The {} gives this account its {}: change it there.",
                             name_of(options_.source), changes_role ? "role" : "quota"));
}

}  // namespace coffer::core
