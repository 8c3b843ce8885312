#include "core/key_scopes.h"

namespace coffer::core {

Task<Result<Path>> scope_of(const Place& place) {
  const auto canonical = co_await place.backend->canonical(place.path);
  if (!canonical) co_return failure_of(canonical);
  co_return place.base / *canonical;
}

Task<Result<std::optional<Path>>> used_scope_of(catalog::Keys& keys, AccountId account,
                                                const Place& place) {
  const auto any = co_await keys.any_scoped(account, place.base);
  if (!any) co_return failure_of(any);
  if (!*any) co_return std::optional<Path>();
  auto scope = co_await scope_of(place);
  if (!scope) co_return failure_of(std::move(scope));
  const auto here = co_await keys.any_scoped(account, *scope);
  if (!here) co_return failure_of(here);
  co_return *here ? std::optional<Path>(*std::move(scope)) : std::nullopt;
}

Task<Result<void>> revoke_scoped(catalog::Keys& keys, AccountId account, const Place& place) {
  const auto scope = co_await used_scope_of(keys, account, place);
  if (!scope) co_return failure_of(scope);
  if (!*scope) co_return Result<void>{};
  // Before the folder goes, so that no key ever opens a folder made again under its name.
  const auto there = co_await place.backend->stat(place.path);
  if (!there) co_return failure_of(there);
  co_return co_await keys.revoke_scoped(account, **scope);
}

}  // namespace coffer::core
