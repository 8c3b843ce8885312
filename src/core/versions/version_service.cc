#include "core/versions/version_service.h"

#include <utility>

#include "core/files/listing.h"

namespace coffer::core {
namespace {

std::unexpected<Error> no_such_version() {
  return fail(ErrorCode::not_found, "There is no such version.");
}

}  // namespace

Task<Result<std::vector<storage::PastVersion>>> VersionService::list(const Principal& principal,
                                                                     const Path& file) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, file));
  std::vector<storage::PastVersion> versions;
  if (storage::Versions* const kept = versions_of(place)) {
    CO_TRY(versions, co_await kept->list(place.path));
  } else {
    CO_TRY(const auto entry, co_await stat(place));
    if (entry.is_directory) co_return fail(ErrorCode::invalid, "This is a folder.");
  }
  if (principal.scope) CO_TRY_VOID(co_await access_recheck_.of(principal, {}));
  co_return versions;
}

/// The path of a version's file is from the principal's root, so the file is resolved as any other.
/// A missing right comes before a missing version.
Task<Result<ResolvedPath>> VersionService::file_of(const Principal& principal,
                                                   storage::VersionId id, Access access) {
  const Path top;
  CO_TRY(const auto root, co_await namespace_.resolve(principal, top, access));
  storage::Versions* const versions = versions_of(root);
  if (versions == nullptr) co_return no_such_version();
  CO_TRY(const auto found, co_await versions->find(id));
  auto place = co_await namespace_.resolve(principal, found.file, access);
  if (!place && place.error().code == ErrorCode::not_found) co_return no_such_version();
  // The files may have been moved to another place meanwhile.
  if (place && versions_of(*place) == nullptr) co_return no_such_version();
  co_return place;
}

Task<Result<OpenFile>> VersionService::open(const Principal& principal, storage::VersionId id) {
  CO_TRY(const auto place, co_await file_of(principal, id, Access::read));
  CO_TRY(auto reader, co_await place.backend->versions()->open(id));
  if (principal.scope) CO_TRY_VOID(co_await access_recheck_.of(principal, {}));
  OpenFile file{place.backend, std::move(reader), false, {}};
  file.still_allowed = [this, principal] { return still_allowed(principal); };
  co_return file;
}

Task<Result<void>> VersionService::still_allowed(const Principal& principal) {
  const auto stands = co_await access_recheck_.of_reader(principal, {});
  if (auto lost = withdrawal_in(stands)) co_return std::unexpected(*std::move(lost));
  co_return Result<void>{};
}

Task<Result<storage::Entry>> VersionService::restore(const Principal& principal,
                                                     storage::VersionId id,
                                                     MayReplace may_replace) {
  CO_TRY(const auto place, co_await file_of(principal, id, Access::write));
  storage::WriteOptions options;
  options.by = author_of(principal);
  if (may_replace) {
    CO_TRY(const auto entry, co_await place.backend->stat(place.path));
    CO_TRY_VOID(may_replace(entry));
    options.replaces = version_of(entry);
  }
  Reservation reservation(quota_, place.quota_account);
  CO_TRY_VOID(co_await reservation.hold());
  CO_TRY(const auto lock, co_await folder_changes_.lock_scope(principal, place));
  const storage::MayShow may_show = [&] {
    std::vector<PlaceChange> changes = {write_of(place)};
    return access_recheck_.of_change(principal, {}, std::move(changes));
  };
  CO_TRY(auto restored,
         co_await place.backend->versions()->restore(place.path, id, options, may_show));
  CO_TRY_VOID(co_await reservation.commit(-static_cast<std::int64_t>(restored.freed_bytes)));
  co_return std::move(restored.entry);
}

Task<Result<void>> VersionService::remove(const Principal& principal, storage::VersionId id) {
  CO_TRY(const auto place, co_await file_of(principal, id, Access::write));
  Reservation reservation(quota_, place.quota_account);
  // A full catalog records the freed bytes later.
  auto held = co_await reservation.hold();
  if (!held && held.error().code != ErrorCode::disk_full) co_return held;
  CO_TRY(const auto lock, co_await folder_changes_.lock_scope(principal, place));
  const storage::MayShow may_show = [&] { return access_recheck_.of(principal, {}); };
  CO_TRY(const auto freed, co_await place.backend->versions()->remove(place.path, id, may_show));
  co_return co_await reservation.commit(-static_cast<std::int64_t>(freed));
}

}  // namespace coffer::core
