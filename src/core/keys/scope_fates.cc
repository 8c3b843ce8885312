#include "core/keys/scope_fates.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "catalog/mount_paths.h"

namespace coffer::core {
namespace {

/// Looks at folders as an account sees them, and at those in shares as they are.
struct Sights {
  const Namespace& ns;
  const Principal& principal;
};

struct Found {
  std::shared_ptr<storage::Backend> backend;
  Path path;
};

Task<Result<Found>> find(const Sights& sights, const Path& path) {
  if (catalog::is_in_share(path)) {
    auto share = co_await sights.ns.mounts().open_share(path.front());
    if (!share) co_return failure_of(std::move(share));
    co_return Found{*share, path.without_front()};
  }
  const auto place = co_await sights.ns.resolve(sights.principal, path);
  if (!place) co_return failure_of(place);
  co_return Found{place->backend, place->path};
}

/// Empty means any. Versions before this one noted the inode alone.
bool is_meant(const storage::Entry& entry, const std::string& identity) {
  return identity.empty() || identity == identity_of(entry) ||
         identity == std::to_string(entry.file_id);
}

/// Whether a folder is there, and the one that is meant. `path` may lead to one that is only lost
/// from sight, which is a failure.
Task<Result<bool>> stands(const Sights& sights, const Path& path, const std::string& identity) {
  const auto place = co_await find(sights, path);
  if (!place) co_return failure_of(place);
  const auto entry = co_await place->backend->stat(place->path);
  if (!entry && entry.error().code == ErrorCode::not_found) co_return false;
  if (!entry && entry.error().code == ErrorCode::invalid) co_return false;  // A file above it.
  if (!entry) co_return failure_of(entry);
  if (!entry->is_directory) co_return false;
  co_return is_meant(*entry, identity);
}

/// Without identities, two folders cannot be distinguished. A copy and its source may stand both.
bool is_ambiguous(const catalog::ScopeChange& change, bool at_from, bool at_to) {
  const bool is_copy = change.to && change.to->front() != change.from.front() &&
                       (is_mount_name(change.to->front()) || is_mount_name(change.from.front()));
  return at_from && at_to && change.from_identity.empty() && !is_copy;
}

}  // namespace

std::string identity_of(const storage::Entry& entry) {
  const storage::ItemIdentity identity = entry.identity();
  if (!identity.is_known()) return {};
  return fmt::format("{}.{}", identity.file_id, identity.born_at.time_since_epoch().count());
}

Task<Result<ScopeFates>> find_fates(const Namespace& ns, const Principal& principal,
                                    const catalog::ScopeChange& change,
                                    const std::vector<Path>& scopes) {
  const Sights sights{ns, principal};
  const auto at_from = co_await stands(sights, change.from, change.from_identity);
  if (!at_from) co_return failure_of(at_from);
  bool at_to = false;
  if (change.to) {
    const auto there = co_await stands(sights, *change.to, change.to_identity);
    if (!there) co_return failure_of(there);
    at_to = *there;
  }
  ScopeFates fates;
  if (is_ambiguous(change, *at_from, at_to)) co_return fates;
  for (const Path& scope : scopes) {
    std::optional<Path> now;
    if (*at_from) {
      const auto there = co_await stands(sights, scope, {});
      if (!there) co_return failure_of(there);
      if (*there) now = scope;
    }
    if (!now && at_to) {
      Path moved = *change.to / scope.relative_to(change.from);
      const auto there = co_await stands(sights, moved, {});
      if (!there) co_return failure_of(there);
      if (*there) now = std::move(moved);
    }
    fates.emplace(scope.str(), std::move(now));
  }
  co_return fates;
}

}  // namespace coffer::core
