#include "core/namespace/namespace.h"

#include <algorithm>
#include <utility>

#include "storage/partial_name.h"

namespace coffer::core {
namespace {

/// The backend limited to a folder. It keeps the backend alive, which its view must not outlive.
std::shared_ptr<storage::Backend> limited(std::shared_ptr<storage::Backend> backend,
                                          const Path& folder) {
  struct Held {
    std::shared_ptr<storage::Backend> backend;
    std::unique_ptr<storage::Backend> view;
  };
  auto held = std::make_shared<Held>();
  held->backend = std::move(backend);
  held->view = held->backend->beneath(folder);
  storage::Backend* view = held->view.get();
  return {std::move(held), view};
}

bool has_hidden_name(const Path& path) {
  return std::ranges::any_of(path.components(), &storage::is_hidden_name);
}

std::unexpected<Error> no_such_item() {
  return fail(ErrorCode::not_found, "There is no such file or folder.");
}

bool is_mounted(const Path& path) {
  return is_mount_name(path.front());
}

}  // namespace

Result<Namespace> Namespace::of(const Principal& principal, HomeDirectories& homes,
                                Mounts& mounts) {
  if (principal.scope && is_mounted(*principal.scope)) return Namespace(principal, nullptr, mounts);
  auto home = homes.of(*principal.account);
  // The mounts are there all the same.
  if (!home && home.error().code == ErrorCode::not_found)
    return Namespace(principal, nullptr, mounts);
  if (!home) return failure_of(std::move(home));
  if (!principal.scope) return Namespace(principal, *std::move(home), mounts);
  return Namespace(principal, limited(*std::move(home), *principal.scope), mounts);
}

Task<Result<ResolvedPath>> Namespace::resolve(const Path& path) {
  auto place = co_await locate(path);
  if (place && has_hidden_name(path)) co_return no_such_item();
  co_return place;
}

Task<Result<ResolvedPath>> Namespace::locate(const Path& path) {
  if (principal_.scope) {
    if (is_mounted(path))
      co_return fail(ErrorCode::forbidden, "This key is limited to one folder.");
    if (is_mounted(*principal_.scope)) co_return co_await place_in_mounted_scope(path);
  } else if (is_mounted(path)) {
    co_return co_await mounted_place(path);
  }
  if (!own_) co_return fail(ErrorCode::not_found, "This location is not there any more.");
  co_return own_place(path);
}

ResolvedPath Namespace::own_place(const Path& path) const {
  ResolvedPath place;
  place.backend = own_.get();
  place.path = path;
  if (principal_.scope) place.base = *principal_.scope;
  place.is_top = path.is_root();
  place.read_only = principal_.read_only;
  place.quota_account = principal_.account;
  return place;
}

Task<Result<ResolvedPath>> Namespace::mounted_place(const Path& path) {
  auto opened = co_await open_mount(path.front());
  if (!opened) co_return failure_of(std::move(opened));
  ResolvedPath place;
  place.backend = opened->backend.get();
  place.path = path.without_front();
  place.base = path;
  while (place.base.depth() > 1) place.base = place.base.parent();
  place.is_top = place.path.is_root();
  place.read_only = opened->mount.read_only || principal_.read_only;
  place.mount = std::move(opened->mount);
  co_return place;
}

Task<Result<ResolvedPath>> Namespace::place_in_mounted_scope(const Path& path) {
  auto place = co_await mounted_place(*principal_.scope);
  if (!place) co_return place;
  const auto opened = co_await open_mount(principal_.scope->front());
  if (!opened) co_return failure_of(opened);
  if (!scoped_) scoped_ = limited(opened->backend, place->path);
  place->backend = scoped_.get();
  place->path = path;
  place->base = *principal_.scope;
  place->is_top = path.is_root();
  co_return place;
}

Task<Result<OpenMount>> Namespace::open_mount(std::string_view prefix) {
  for (const OpenMount& opened : opened_) {
    if (opened.mount.prefix == prefix) co_return opened;
  }
  auto opened = co_await mounts_->open(principal_.account->id, prefix);
  if (opened) opened_.push_back(*opened);
  co_return opened;
}

Task<Result<ResolvedPath>> Namespace::resolve_for_writing(const Path& path) {
  auto place = co_await locate(path);
  if (place && place->read_only) {
    auto allowed = check_may_write(principal_);
    if (!allowed) co_return failure_of(std::move(allowed));
    co_return fail(ErrorCode::forbidden, "This location is read-only.");
  }
  if (place && has_hidden_name(path)) co_return no_such_item();
  co_return place;
}

Task<Result<ResolvedPath>> Namespace::resolve_in_bin(const Path& path) {
  auto place = co_await locate(path);
  if (place && place->read_only) {
    co_return fail(ErrorCode::forbidden, "This location is read-only.");
  }
  if (!place) co_return place;
  if (place->path.depth() < 2 || place->path.front() != storage::kBinFolder ||
      has_hidden_name(place->path.without_front())) {
    co_return no_such_item();
  }
  co_return place;
}

Task<Result<std::vector<Location>>> Namespace::locations() const {
  std::vector<Location> all;
  if (principal_.scope) {
    all.push_back({LocationKind::scoped, std::string(principal_.scope->name()), "",
                   principal_.scope->str(), principal_.read_only});
    if (!is_mounted(*principal_.scope)) co_return all;
    const auto mount = co_await mounts_->find(principal_.account->id, principal_.scope->front());
    if (!mount) co_return failure_of(mount);
    all.front().read_only |= mount->read_only;
    if (principal_.scope->depth() == 1) all.front().name = mount->name;
    co_return all;
  }
  all.push_back({LocationKind::own, "Own files", "", "Own files", principal_.read_only});
  auto mounts = co_await mounts_->of(principal_.account->id);
  if (!mounts) co_return failure_of(std::move(mounts));
  sort_for_listing(*mounts);
  for (Mount& mount : *mounts) {
    all.push_back({mount.kind, std::move(mount.name), mount.prefix + '/', std::move(mount.target),
                   mount.read_only || principal_.read_only});
  }
  co_return all;
}

Task<Result<std::vector<Mount>>> Namespace::mounts_in(const ResolvedPath& folder) const {
  if (principal_.scope || !folder.is_top || folder.backend != own_.get()) {
    co_return std::vector<Mount>();
  }
  auto mounts = co_await mounts_->of(principal_.account->id);
  if (mounts) sort_for_listing(*mounts);
  co_return mounts;
}

bool Namespace::reserves_mount_names(const ResolvedPath& folder) const {
  return folder.account_path().is_root() || (principal_.scope && folder.is_top);
}

}  // namespace coffer::core
