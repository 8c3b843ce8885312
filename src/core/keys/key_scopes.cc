#include "core/keys/key_scopes.h"

namespace coffer::core {

Task<Result<Path>> scope_of(const ResolvedPath& place) {
  const auto canonical = co_await place.backend->canonical(place.path);
  if (!canonical) co_return failure_of(canonical);
  co_return place.base / *canonical;
}

}  // namespace coffer::core
