#include "core/files/archive_service.h"

#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include "core/archive/archive_tree.h"
#include "core/files/listing.h"
#include "core/files/selected_items.h"

namespace coffer::core {
namespace {

constexpr std::string_view kName = "files";
constexpr std::string_view kReportName = "coffer-errors.txt";

/// The name of an item at the top of an archive. `path` is from the account's root, so that the
/// folder of a link or of a key has its own.
std::string name_of(const Path& path, const ResolvedPath& place) {
  if (path.is_root()) return std::string(kName);
  if (!place.mount || path.depth() > 1) return std::string(path.name());
  // The top of a mount has the mount's name, where that is one for a folder.
  const auto name = Name::parse(place.mount->name);
  return name ? name->str() : std::string(kName);
}

}  // namespace

/// What the items of an archive have in common, while it is made.
struct ArchiveService::Plan {
  Principal principal;
  ArchiveNames names = {};
  std::map<std::string, MountUse> uses = {};  ///< By the mounts' prefixes; empty for own files.

  std::vector<MountUse> all_uses() const {
    const auto all = uses | std::views::values;
    return {all.begin(), all.end()};
  }
};

/// The items of a selection, one after the other.
class ArchiveService::Selected {
 public:
  Selected(const ArchiveService& service, std::shared_ptr<Plan> plan, std::vector<Path> paths)
      : service_(service), plan_(std::move(plan)), paths_(std::move(paths)) {}

  Task<std::optional<ArchiveItem>> next(ArchiveReport& report) {
    while (next_ < paths_.size()) {
      const Path path = std::exchange(paths_[next_++], Path());
      auto item = co_await service_.item_at(*plan_, path, report);
      if (item) co_return *std::move(item);
      report.add(path.str(), item.error().message);
    }
    co_return std::nullopt;
  }

 private:
  const ArchiveService& service_;
  const std::shared_ptr<Plan> plan_;
  std::vector<Path> paths_;
  std::size_t next_ = 0;
};

Task<Result<ArchiveItem>> ArchiveService::item_at(Plan& plan, const Path& path,
                                                  ArchiveReport& report) const {
  CO_TRY(const auto place, co_await namespace_.resolve(plan.principal, path));
  co_return co_await item_at(plan, path, place, report);
}

Task<Result<ArchiveItem>> ArchiveService::item_at(Plan& plan, const Path& path,
                                                  const ResolvedPath& place,
                                                  ArchiveReport& report) const {
  CO_TRY(const auto entry, co_await stat(place));
  ArchiveItem item;
  item.backend = place.backend;
  item.path = place.path;
  item.entry = entry;
  const std::string name = name_of(plan.principal.whole(path), place);
  item.name = entry.is_directory ? plan.names.take_folder(name) : plan.names.take_file(name);
  if (place.reserves_mount_names()) item.is_reserved = &is_mount_name;
  CO_TRY_VOID(co_await tell_of_mounts(plan, place, item.name, report));
  const std::string prefix = place.mount ? place.mount->prefix : std::string();
  plan.uses.try_emplace(prefix, MountUse{place.mount, false});
  co_return item;
}

Task<Result<void>> ArchiveService::tell_of_mounts(const Plan& plan, const ResolvedPath& place,
                                                  const std::string& name,
                                                  ArchiveReport& report) const {
  CO_TRY(const auto mounts, co_await namespace_.mounts_in(plan.principal, place));
  for (const Mount& mount : mounts) {
    report.add(name + '/' + mount.name, "It is a separate location. Archive it by its own path.");
  }
  co_return Result<void>{};
}

Archive ArchiveService::begin(std::shared_ptr<Plan> plan, ArchiveOrder order, std::string name) {
  order.report_name = [plan] { return plan->names.take_file(kReportName); };
  order.list = lister_.of(plan->principal);
  WorkPool& pool = pools_.of(plan->principal.account->id);
  order.may_go_on = [this, plan = std::move(plan)] {
    return access_recheck_.of(plan->principal, plan->all_uses());
  };
  return {std::move(name),
          std::make_unique<ArchiveStream>(std::move(order), pool.brief, pool.packing)};
}

Task<Result<Archive>> ArchiveService::make(const Principal& principal, std::vector<Path> paths,
                                           ArchiveFormat format) {
  auto hold = memory_.begin(holder_of(principal));
  CO_TRY_VOID(hold.grow(fixed_bytes_of(format)));
  std::vector<ResolvedPath> places;
  for (const Path& path : paths) {
    CO_TRY(auto place, co_await namespace_.resolve(principal, path));
    places.push_back(std::move(place));
  }
  auto plan = std::make_shared<Plan>(Plan{principal});
  ArchiveOrder order;
  order.format = format;
  order.hold = std::move(hold);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    CO_TRY(auto item, co_await item_at(*plan, paths[i], places[i], order.report));
    order.items.push_back(std::move(item));
  }
  std::string name = paths.size() == 1 ? order.items.front().name : std::string(kName);
  co_return begin(std::move(plan), std::move(order), std::move(name));
}

Task<Result<Archive>> ArchiveService::make_selected(const Principal& principal, SelectionId id,
                                                    ArchiveFormat format) {
  auto hold = memory_.begin(holder_of(principal));
  CO_TRY_VOID(hold.grow(fixed_bytes_of(format)));
  SelectedItems items(selections_, principal, std::move(id));
  std::vector<Path> paths;
  for (;;) {
    CO_TRY(auto path, co_await items.next());
    if (!path) break;
    // The path, and later its name among those taken.
    CO_TRY_VOID(hold.grow(3 * (sizeof(Path) + path->str().size())));
    paths.push_back(*std::move(path));
  }
  if (paths.empty()) co_return no_such_selection();
  std::string name(kName);
  if (paths.size() == 1) {
    const auto place = co_await namespace_.resolve(principal, paths.front());
    if (place) name = name_of(principal.whole(paths.front()), *place);
  }
  auto plan = std::make_shared<Plan>(Plan{principal});
  ArchiveOrder order;
  order.format = format;
  order.hold = std::move(hold);
  auto selected = std::make_shared<Selected>(*this, plan, std::move(paths));
  order.more_items = [selected](ArchiveReport& report) { return selected->next(report); };
  co_return begin(std::move(plan), std::move(order), std::move(name));
}

}  // namespace coffer::core
