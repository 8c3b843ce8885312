#include "core/connectors/share_service.h"

#include <fmt/format.h>

#include <utility>

#include "base/path.h"
#include "base/text.h"

namespace coffer::core {
namespace {

constexpr std::size_t kDescriptionLimit = 1000;

Result<void> check(const SharePatch& patch) {
  if (patch.name) {
    TRY_VOID(check_mount_name(*patch.name));
  }
  if (patch.description) {
    TRY_VOID(check_description(*patch.description));
  }
  if (patch.target && !patch.target->starts_with('/')) {
    return fail(ErrorCode::invalid, "The folder to share must be an absolute path.");
  }
  if (patch.everyone == true && patch.accounts && !patch.accounts->empty()) {
    return fail(ErrorCode::invalid, "A share is for everyone or for named accounts, not both.");
  }
  return {};
}

}  // namespace

Result<void> check_mount_name(std::string_view name) {
  const auto parsed = Name::parse(name);
  if (!parsed) return failure_of(parsed);
  if (!is_mount_name(name)) return {};
  return fail(ErrorCode::invalid, "The name must not begin with \"__adm_\" or \"__conn_\".");
}

Result<void> check_description(std::string_view description) {
  const bool is_text = is_utf8(description) && !has_control_character(description);
  if (is_text && count_characters(description) <= kDescriptionLimit) return {};
  return fail(ErrorCode::invalid,
              "A description is up to 1000 characters without control characters.");
}

Task<Result<std::vector<AccountId>>> ShareService::ids_of(const std::vector<std::string>& names) {
  std::vector<AccountId> ids;
  for (const std::string& name : names) {
    const auto account = co_await catalog_.accounts().find(catalog::Turn::administration(), name);
    if (!account && account.error().code == ErrorCode::not_found) {
      co_return fail(ErrorCode::not_found, fmt::format("There is no account {}.", name));
    }
    if (!account) co_return failure_of(account);
    ids.push_back(account->id);
  }
  co_return ids;
}

Task<Result<catalog::Share>> ShareService::add(SharePatch patch) {
  CO_TRY_VOID(check(patch));
  if (!patch.name || !patch.target) {
    co_return fail(ErrorCode::invalid, "A share needs a name and a folder.");
  }
  const bool everyone = patch.everyone.value_or(false);
  if (!everyone && (!patch.accounts || patch.accounts->empty())) {
    co_return fail(ErrorCode::invalid, "Say who sees the share: accounts, or everyone.");
  }
  catalog::NewShare wanted;
  if (patch.accounts) {
    CO_TRY(wanted.accounts, co_await ids_of(*patch.accounts));
  }
  wanted.name = *std::move(patch.name);
  wanted.target = *std::move(patch.target);
  wanted.description = patch.description.value_or("");
  wanted.read_only = patch.read_only.value_or(false);
  wanted.everyone = everyone;
  wanted.asker = patch.asker;
  catalog::Share candidate;
  candidate.target = wanted.target;
  candidate.read_only = true;  // The folder is not written to before it is shared.
  CO_TRY_VOID(co_await test(candidate));
  co_return co_await catalog_.shares().create(std::move(wanted));
}

Task<Result<std::vector<catalog::Share>>> ShareService::list() {
  co_return co_await catalog_.shares().list();
}

Task<Result<catalog::Share>> ShareService::get(ShareId id) {
  co_return co_await catalog_.shares().find(std::move(id));
}

Task<Result<catalog::Share>> ShareService::change(ShareId id, SharePatch patch) {
  CO_TRY_VOID(check(patch));
  CO_TRY(const auto share, co_await get(std::move(id)));
  catalog::ShareChange change;
  change.asker = patch.asker;
  if (patch.accounts) {
    CO_TRY(change.accounts, co_await ids_of(*patch.accounts));
    if (!patch.everyone) change.everyone = false;
  }
  CO_TRY(change.added_accounts, co_await ids_of(patch.added_accounts));
  CO_TRY(change.removed_accounts, co_await ids_of(patch.removed_accounts));
  if (patch.target) {
    catalog::Share candidate;
    candidate.target = *patch.target;
    candidate.read_only = true;
    CO_TRY_VOID(co_await test(candidate));
  }
  change.name = std::move(patch.name);
  change.target = std::move(patch.target);
  change.description = std::move(patch.description);
  change.read_only = patch.read_only;
  if (patch.everyone) change.everyone = patch.everyone;
  co_return co_await catalog_.shares().set(share.id, std::move(change));
}

Task<Result<void>> ShareService::remove(ShareId id, std::optional<catalog::Asker> asker) {
  co_return co_await catalog_.shares().remove(std::move(id), std::move(asker));
}

Task<Result<void>> ShareService::test(const catalog::Share& share) {
  return try_out(backends_.of(share));
}

}  // namespace coffer::core
