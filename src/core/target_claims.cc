#include "core/target_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coffer::core {
namespace {

/// A mount has the same name for all that see it; own files are one account's.
std::string text_of(AccountId account, const ResolvedPath& place) {
  const std::string path = place.account_path().str();
  return place.mount ? path : fmt::format("{}/{}", account.value, path);
}

bool is_beneath(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

void TargetClaims::Claim::Leave::operator()(Held* held) const {
  {
    const std::lock_guard lock(held->claims.mutex_);
    held->places.erase(held->place);
  }
  delete held;
}

std::optional<TargetClaims::Claim> TargetClaims::claim(AccountId account, const ResolvedPath& to) {
  std::string text = text_of(account, to);
  const std::lock_guard lock(mutex_);
  const auto is_above = [&](const std::string& folder) { return is_beneath(text, folder); };
  if (targets_.contains(text) || std::ranges::any_of(renamed_, is_above)) return std::nullopt;
  return hold(targets_, std::move(text));
}

std::optional<TargetClaims::Claim> TargetClaims::begin_rename(AccountId account,
                                                              const ResolvedPath& from) {
  std::string text = text_of(account, from);
  const std::lock_guard lock(mutex_);
  const auto first = targets_.lower_bound(text + '/');
  if (first != targets_.end() && is_beneath(*first, text)) return std::nullopt;
  return hold(renamed_, std::move(text));
}

}  // namespace coffer::core
