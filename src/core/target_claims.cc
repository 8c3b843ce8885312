#include "core/target_claims.h"

#include <fmt/format.h>

#include <utility>

namespace coffer::core {
namespace {

/// A mount has the same name for all that see it; own files are one account's.
std::string text_of(AccountId account, const ResolvedPath& to) {
  const std::string path = to.account_path().str();
  return to.mount ? path : fmt::format("{}/{}", account.value, path);
}

}  // namespace

void TargetClaims::Claim::Leave::operator()(Target* target) const {
  {
    const std::lock_guard lock(target->claims.mutex_);
    target->claims.targets_.erase(target->text);
  }
  delete target;
}

std::optional<TargetClaims::Claim> TargetClaims::claim(AccountId account, const ResolvedPath& to) {
  std::string text = text_of(account, to);
  const std::lock_guard lock(mutex_);
  if (!targets_.insert(text).second) return std::nullopt;
  return Claim(*this, std::move(text));
}

}  // namespace coffer::core
