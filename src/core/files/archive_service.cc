#include "core/files/archive_service.h"

#include <utility>

#include "core/archive/archive_tree.h"
#include "core/files/listing.h"

namespace coffer::core {
namespace {

constexpr std::string_view kName = "files";
constexpr std::string_view kReportName = "coffer-errors.txt";

/// The name of an item at the top of an archive.
std::string name_of(const Path& path, const ResolvedPath& place) {
  if (!path.is_root() && !(place.is_top && place.mount)) return std::string(path.name());
  // The top of a mount has the mount's name, where that is one for a folder.
  const auto name = place.mount ? Name::parse(place.mount->name) : Name::parse(kName);
  return name ? name->str() : std::string(kName);
}

}  // namespace

/// The items collected before the archive begins.
struct ArchiveService::Plan {
  const Principal& principal;
  ArchiveOrder order = {};
  ArchiveNames names = {};
  std::vector<MountUse> uses = {};
};

Task<Result<void>> ArchiveService::add(Plan& plan, const Path& path, const ResolvedPath& place) {
  CO_TRY(const auto entry, co_await stat(place));
  ArchiveItem item;
  item.backend = place.backend;
  item.path = place.path;
  item.entry = entry;
  const std::string name = name_of(path, place);
  item.name = entry.is_directory ? plan.names.take_folder(name) : plan.names.take_file(name);
  if (place.reserves_mount_names()) item.is_reserved = &is_mount_name;
  CO_TRY_VOID(co_await tell_of_mounts(plan, place, item.name));
  plan.order.items.push_back(std::move(item));
  plan.uses.push_back(MountUse{place.mount, false});
  co_return Result<void>{};
}

Task<Result<void>> ArchiveService::tell_of_mounts(Plan& plan, const ResolvedPath& place,
                                                  const std::string& name) {
  CO_TRY(const auto mounts, co_await namespace_.mounts_in(plan.principal, place));
  for (const Mount& mount : mounts) {
    plan.order.report.add(name + '/' + mount.name,
                          "It is a separate location. Archive it by its own path.");
  }
  co_return Result<void>{};
}

Task<Result<Archive>> ArchiveService::make(const Principal& principal, std::vector<Path> paths,
                                           ArchiveFormat format) {
  std::vector<ResolvedPath> places;
  for (const Path& path : paths) {
    CO_TRY(auto place, co_await namespace_.resolve(principal, path));
    places.push_back(std::move(place));
  }
  Plan plan{principal};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    CO_TRY_VOID(co_await add(plan, paths[i], places[i]));
  }
  Archive archive;
  archive.name = paths.size() == 1 ? plan.order.items.front().name : std::string(kName);
  plan.order.format = format;
  plan.order.report_name = plan.names.take_file(kReportName);
  plan.order.may_go_on = [this, principal, uses = std::move(plan.uses)] {
    return access_recheck_.of(principal, uses);
  };
  WorkPool& pool = pools_.of(principal.account->id);
  archive.stream = std::make_unique<ArchiveStream>(std::move(plan.order), pool.brief);
  co_return archive;
}

}  // namespace coffer::core
