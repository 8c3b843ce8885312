#include "core/accounts/account_service.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "base/text.h"
#include "core/accounts/quota.h"
#include "core/keys/authenticator.h"

namespace coffer::core {
namespace {

constexpr std::size_t kSetupTokenBytes = 16;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// One spelling for each name: nothing that differs by case or Unicode form can collide on disk.
Result<void> check_name(std::string_view name) {
  const auto allowed = [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
  };
  if (name.empty() || name.size() > 64 || !is_letter_or_digit(name[0]) ||
      !std::ranges::all_of(name, allowed)) {
    return fail(ErrorCode::invalid,
                "An account's name is 1 to 64 of the characters a-z, 0-9, \".\", \"_\" and \"-\", "
                "beginning with a letter or digit.");
  }
  return {};
}

Result<void> check_patch(const AccountPatch& patch) {
  if (patch.display_name) {
    const std::string& text = *patch.display_name;
    if (text.empty() || !is_utf8(text) || has_control_character(text) ||
        count_characters(text) > 100) {
      return fail(ErrorCode::invalid,
                  "A display name is 1 to 100 characters without control characters.");
    }
  }
  return patch.password ? patch.password->check() : Result<void>();
}

}  // namespace

Task<Result<std::string>> AccountService::hashed(std::optional<NewPassword> password) {
  if (!password) co_return std::string();
  CO_TRY(auto place, passwords_.enter(password->asker));
  co_return co_await place.hash(std::move(password->text));
}

Task<Result<catalog::NewAccount>> AccountService::described(std::string name, AccountPatch patch) {
  CO_TRY(auto hash, co_await hashed(std::move(patch.password)));
  catalog::NewAccount wanted;
  wanted.name = name;
  wanted.display_name = patch.display_name.value_or(name);
  wanted.role = patch.role.value_or(catalog::Role::user);
  wanted.quota_bytes = patch.quota_bytes.value_or(0);
  wanted.password_hash = std::move(hash);
  wanted.asker = patch.asker;
  wanted.home_store = homes_.store_of_new();
  co_return wanted;
}

Task<Result<catalog::Account>> AccountService::with_home(Result<catalog::Account> account) {
  if (!account) co_return account;
  CO_TRY([[maybe_unused]] const auto counted, co_await recount(catalog_, homes_, account->id));
  co_return account;
}

/// `exists` if an account has the name, before its password is hashed for nothing.
Task<Result<void>> AccountService::check_is_free(std::string name) {
  const auto found =
      co_await catalog_.accounts().find(catalog::Turn::administration(), std::move(name));
  if (found) co_return fail(ErrorCode::exists, "An account with this name exists already.");
  if (found.error().code != ErrorCode::not_found) co_return failure_of(found);
  co_return Result<void>{};
}

Task<Result<catalog::Account>> AccountService::add(std::string name, AccountPatch patch) {
  CO_TRY_VOID(check_name(name));
  CO_TRY_VOID(check_patch(patch));
  CO_TRY_VOID(co_await check_is_free(name));
  CO_TRY(auto wanted, co_await described(std::move(name), std::move(patch)));
  auto made = co_await catalog_.accounts().add(std::move(wanted));
  if (made && on_set_up_) on_set_up_();
  co_return co_await with_home(std::move(made));
}

Task<Result<catalog::Account>> AccountService::add_with_identity(std::string name,
                                                                 AccountPatch patch,
                                                                 catalog::IdentityName identity,
                                                                 std::string address) {
  CO_TRY_VOID(check_name(name));
  CO_TRY_VOID(check_patch(patch));
  CO_TRY(auto wanted, co_await described(std::move(name), std::move(patch)));
  auto made = co_await catalog_.identities().add_account(std::move(wanted), std::move(identity),
                                                         std::move(address));
  if (made && on_set_up_) on_set_up_();
  co_return co_await with_home(std::move(made));
}

Task<Result<std::optional<std::string>>> AccountService::offer_setup() {
  std::string token = random_hex(kSetupTokenBytes);
  CO_TRY(const auto offered, co_await catalog_.setup().offer(hash_secret(token)));
  co_return offered ? std::optional(std::move(token)) : std::nullopt;
}

Task<Result<catalog::Account>> AccountService::set_up(std::string_view token, std::string name,
                                                      AccountPatch patch) {
  CO_TRY_VOID(check_name(name));
  CO_TRY_VOID(check_patch(patch));
  CO_TRY_VOID(co_await catalog_.setup().check(hash_secret(token)));
  patch.role = catalog::Role::admin;
  CO_TRY(auto wanted, co_await described(std::move(name), std::move(patch)));
  auto made = co_await catalog_.setup().complete(hash_secret(token), std::move(wanted));
  if (made && on_set_up_) on_set_up_();
  co_return co_await with_home(std::move(made));
}

Task<Result<bool>> AccountService::is_setup_open() {
  co_return co_await catalog_.setup().is_open();
}

Task<Result<catalog::Account>> AccountService::change(std::string name, AccountPatch patch) {
  CO_TRY_VOID(check_patch(patch));
  CO_TRY(const auto account,
         co_await catalog_.accounts().find(catalog::Turn::administration(), std::move(name)));
  co_return co_await change_by_id(account.id, std::move(patch));
}

Task<Result<catalog::Account>> AccountService::change_own(const Principal& principal,
                                                          AccountPatch patch) {
  CO_TRY_VOID(check_patch(patch));
  AccountPatch own;
  own.display_name = std::move(patch.display_name);
  own.preferences = std::move(patch.preferences);
  own.asker = asker_of(principal);
  co_return co_await change_by_id(principal.account->id, std::move(own));
}

Task<Result<catalog::Account>> AccountService::change_by_id(AccountId id, AccountPatch patch) {
  catalog::AccountChange change;
  if (patch.password) {
    CO_TRY(change.password_hash, co_await hashed(std::move(patch.password)));
  }
  change.display_name = std::move(patch.display_name);
  change.role = patch.role;
  change.disabled = patch.disabled;
  change.quota_bytes = patch.quota_bytes;
  change.preferences = std::move(patch.preferences);
  change.asker = patch.asker;
  co_return co_await catalog_.accounts().change(id, std::move(change));
}

Task<Result<catalog::Account>> AccountService::remove(std::string name,
                                                      std::optional<catalog::Asker> asker,
                                                      FileFate files) {
  CO_TRY(auto account,
         co_await catalog_.accounts().find(catalog::Turn::administration(), std::move(name)));
  const auto writing = homes_.begin_write(account);
  if (!writing) {
    co_return fail(ErrorCode::unready,
                   "The account's files are being moved to another place; try again later.");
  }
  CO_TRY_VOID(co_await catalog_.accounts().remove(account.id, std::move(asker)));
  if (files == FileFate::kept) co_return account;
  const auto purged = co_await pool_.run([this, &account] { return homes_.purge(account); });
  if (purged) co_return account;
  spdlog::error("the account {} was removed, its files were not: {}", account.name,
                purged.error().message);
  co_return fail(ErrorCode::failed,
                 "The account was removed, but not all of its files: the log says why.");
}

Task<Result<std::vector<AccountOverview>>> AccountService::overviews(
    std::vector<catalog::Account> accounts) {
  CO_TRY(const auto seen, co_await catalog_.accounts().last_seen());
  CO_TRY(const auto guarded, co_await catalog_.second_factors().accounts());
  std::vector<AccountOverview> all;
  for (catalog::Account& account : accounts) {
    const auto usage = co_await catalog_.ledger().usage(account.id);
    if (!usage && usage.error().code == ErrorCode::not_found) continue;  // Removed meanwhile.
    if (!usage) co_return failure_of(usage);
    AccountOverview overview;
    overview.account = std::move(account);
    overview.usage = *usage;
    overview.has_second_factor = guarded.contains(overview.account.id);
    overview.home_folder = homes_.location_of(overview.account);
    const auto found = seen.find(overview.account.id);
    if (found != seen.end()) overview.last_seen = found->second;
    all.push_back(std::move(overview));
  }
  co_return all;
}

Task<Result<std::vector<AccountOverview>>> AccountService::list(std::string after,
                                                                std::size_t most) {
  CO_TRY(auto accounts, co_await catalog_.accounts().list());
  std::erase_if(accounts, [&](const catalog::Account& one) { return one.name <= after; });
  if (accounts.size() > most) accounts.resize(most);
  co_return co_await overviews(std::move(accounts));
}

Task<Result<std::map<AccountId, std::string>>> AccountService::names() {
  CO_TRY(const auto accounts, co_await catalog_.accounts().list());
  std::map<AccountId, std::string> names;
  for (const catalog::Account& account : accounts) names[account.id] = account.name;
  co_return names;
}

Task<Result<AccountOverview>> AccountService::show(std::string name) {
  CO_TRY(const auto account,
         co_await catalog_.accounts().find(catalog::Turn::administration(), std::move(name)));
  CO_TRY(auto all, co_await overviews(std::vector(1, account)));
  if (all.empty()) co_return fail(ErrorCode::not_found, "There is no such account.");
  co_return std::move(all.front());
}

Task<Result<catalog::Usage>> AccountService::usage(const Principal& principal) {
  co_return co_await catalog_.ledger().usage(principal.account->id);
}

}  // namespace coffer::core
