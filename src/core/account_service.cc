#include "core/account_service.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "core/keys/secret.h"
#include "core/recount.h"

namespace coffer::core {
namespace {

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
  if (patch.password && (patch.password->size() < 8 || patch.password->size() > 1024)) {
    return fail(ErrorCode::invalid, "A password has 8 to 1024 bytes.");
  }
  return {};
}

}  // namespace

Task<Result<std::string>> AccountService::hashed(std::optional<std::string> password) {
  if (!password) co_return std::string();
  co_return co_await pool_.run([&password] { return hash_password(*password); });
}

Task<Result<catalog::Account>> AccountService::add(std::string name, AccountPatch patch) {
  auto named = check_name(name);
  if (!named) co_return failure_of(std::move(named));
  auto formed = check_patch(patch);
  if (!formed) co_return failure_of(std::move(formed));
  auto hash = co_await hashed(patch.password);
  if (!hash) co_return failure_of(std::move(hash));
  catalog::NewAccount wanted;
  wanted.name = name;
  wanted.display_name = patch.display_name.value_or(name);
  wanted.role = patch.role.value_or(catalog::Role::user);
  wanted.quota_bytes = patch.quota_bytes.value_or(0);
  wanted.password_hash = *std::move(hash);
  auto account = co_await catalog_.accounts().add(std::move(wanted));
  if (!account) co_return failure_of(std::move(account));
  const auto counted = co_await recount(catalog_.ledger(), homes_, *account);
  if (!counted) co_return failure_of(counted);
  co_return account;
}

Task<Result<catalog::Account>> AccountService::change(std::string name, AccountPatch patch) {
  auto formed = check_patch(patch);
  if (!formed) co_return failure_of(std::move(formed));
  auto account = co_await catalog_.accounts().find(std::move(name));
  if (!account) co_return failure_of(std::move(account));
  catalog::AccountChange change;
  if (patch.password) {
    auto hash = co_await hashed(patch.password);
    if (!hash) co_return failure_of(std::move(hash));
    change.password_hash = *std::move(hash);
  }
  change.display_name = std::move(patch.display_name);
  change.role = patch.role;
  change.disabled = patch.disabled;
  change.quota_bytes = patch.quota_bytes;
  co_return co_await catalog_.accounts().change(account->id, std::move(change));
}

Task<Result<catalog::Account>> AccountService::remove(std::string name) {
  auto account = co_await catalog_.accounts().find(std::move(name));
  if (!account) co_return account;
  const auto removed = co_await catalog_.accounts().remove(account->id);
  if (!removed) co_return failure_of(removed);
  co_return account;
}

Task<Result<catalog::Usage>> AccountService::usage(const Principal& principal) {
  co_return co_await catalog_.ledger().usage(principal.account->id);
}

}  // namespace coffer::core
