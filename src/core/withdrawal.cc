#include "core/withdrawal.h"

#include <fmt/format.h>

namespace coffer::core {

Task<std::optional<Error>> Withdrawals::of(AccountId account, std::vector<MountUse> uses) {
  auto why = co_await of_account(account);
  for (auto use = uses.begin(); !why && use != uses.end(); ++use) {
    why = co_await of_mount(account, *use);
  }
  co_return why;
}

Task<std::optional<Error>> Withdrawals::of_account(AccountId account) {
  const auto now = co_await accounts_.get(account);
  const bool is_gone = !now && now.error().code == ErrorCode::not_found;
  if (!is_gone && (!now || !now->disabled)) co_return std::nullopt;
  co_return Error{ErrorCode::unauthenticated, "The account was disabled while this was under way."};
}

Task<std::optional<Error>> Withdrawals::of_mount(AccountId account, const MountUse& use) {
  if (!use.mount) co_return std::nullopt;
  const auto now = co_await mounts_.find(account, use.mount->prefix);
  const bool is_gone = !now && now.error().code == ErrorCode::not_found;
  const bool is_closed = now && now->read_only && use.writes;
  if (!is_gone && !is_closed) co_return std::nullopt;
  const auto* what = is_gone ? "was withdrawn" : "became read-only";
  const auto message = fmt::format("{} {} while this was under way.", use.mount->name, what);
  co_return Error{ErrorCode::forbidden, message};
}

}  // namespace coffer::core
