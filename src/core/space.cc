#include "core/space.h"

namespace coffer::core {
namespace {

/// The home limited to the scope's folder. It keeps the home alive, which its view must not
/// outlive.
std::shared_ptr<storage::Backend> scoped_home(std::shared_ptr<storage::Backend> home,
                                              const Path& scope) {
  struct Held {
    std::shared_ptr<storage::Backend> home;
    std::unique_ptr<storage::Backend> view;
  };
  auto held = std::make_shared<Held>();
  held->home = std::move(home);
  held->view = held->home->beneath(scope);
  storage::Backend* view = held->view.get();
  return {std::move(held), view};
}

}  // namespace

Space::Space(Principal principal, std::shared_ptr<storage::Backend> own)
    : principal_(std::move(principal)), own_(std::move(own)) {}

Result<Space> Space::of(const Principal& principal, Homes& homes) {
  auto home = homes.of(*principal.account);
  if (!home) return failure_of(std::move(home));
  if (principal.scope) return Space(principal, scoped_home(*std::move(home), *principal.scope));
  return Space(principal, *std::move(home));
}

Task<Result<Place>> Space::resolve(const Path& path) {
  if (is_mount_name(path.front())) {
    if (principal_.scope) {
      co_return fail(ErrorCode::forbidden, "This key is limited to one folder.");
    }
    co_return fail(ErrorCode::not_found, "There is no such location.");
  }
  Place place;
  place.backend = own_.get();
  place.path = path;
  if (principal_.scope) place.base = *principal_.scope;
  place.is_top = path.is_root();
  place.quota_account = principal_.account->id;
  co_return place;
}

Task<Result<Place>> Space::resolve_for_writing(const Path& path) {
  auto place = co_await resolve(path);
  if (place && place->read_only) {
    co_return fail(ErrorCode::forbidden, "This location is read-only.");
  }
  co_return place;
}

Task<Result<std::vector<Location>>> Space::locations() const {
  std::vector<Location> all;
  if (principal_.scope) {
    all.push_back({LocationKind::scoped, std::string(principal_.scope->name()), "",
                   principal_.scope->str(), false});
  } else {
    all.push_back({LocationKind::own, "Own files", "", "Own files", false});
  }
  co_return all;
}

bool Space::reserves_mount_names(const Place& folder) const {
  return folder.account_path().is_root() || (folder.is_top && folder.backend == own_.get());
}

}  // namespace coffer::core
