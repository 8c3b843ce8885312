#include "core/event_subscription.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coffer::core {
namespace {

std::vector<std::string> texts_of(const std::vector<Path>& paths) {
  std::vector<std::string> texts;
  for (const Path& path : paths) texts.push_back(path.str());
  return texts;
}

bool is_gone(const Error& error) {
  return error.code == ErrorCode::not_found || error.code == ErrorCode::forbidden;
}

/// What clients show of an account.
bool looks_alike(const catalog::Account& one, const catalog::Account& other) {
  return one.display_name == other.display_name && one.role == other.role &&
         one.quota_bytes == other.quota_bytes && one.preferences == other.preferences;
}

std::string describe(std::vector<Mount> mounts) {
  std::ranges::sort(mounts, {}, &Mount::prefix);
  std::string text;
  for (const Mount& mount : mounts) {
    text +=
        fmt::format("{}\n{}\n{}\n{}\n", mount.prefix, mount.name, mount.target, mount.read_only);
  }
  return text;
}

}  // namespace

EventSubscription::EventSubscription(Services services, Principal the_principal,
                                     std::vector<Path> the_folders, std::string id)
    : principal(std::move(the_principal)),
      folders(std::move(the_folders)),
      feed(std::make_shared<EventFeed>(std::move(id), texts_of(folders))),
      services_(services),
      watched_(folders.size()),
      account_(*principal.account) {}

// A notice that comes late, when the subscription has ended, changes nothing.
storage::FolderListener EventSubscription::listener(std::size_t index) const {
  return [known = std::weak_ptr(feed), index](storage::FolderNotice notice) {
    const auto feed = known.lock();
    if (!feed) return;
    if (notice == storage::FolderNotice::changed) feed->folder_changed(index);
    if (notice == storage::FolderNotice::lost) feed->folder_lost(index);
    if (notice == storage::FolderNotice::missed) feed->missed();
  };
}

Task<Result<EventSubscription::Watched>> EventSubscription::watch(std::size_t index) {
  auto ns = Namespace::of(principal, services_.homes, services_.mounts);
  if (!ns) co_return failure_of(std::move(ns));
  Watched one;
  one.ns = std::make_shared<Namespace>(*std::move(ns));
  const auto resolved = co_await one.ns->resolve(folders[index]);
  if (!resolved) co_return failure_of(resolved);
  one.mount = resolved->mount;
  if (one.mount) {
    auto opened = co_await services_.mounts.open(principal.account->id, one.mount->prefix);
    if (!opened) co_return failure_of(std::move(opened));
    one.opened = std::move(opened->backend);
  }
  one.watch = co_await resolved->backend->watch(resolved->path, listener(index));
  co_return one;
}

Task<Result<void>> EventSubscription::begin() {
  for (std::size_t index = 0; index < watched_.size(); ++index) {
    auto one = co_await watch(index);
    if (!one) co_return failure_of(std::move(one));
    watched_[index] = *std::move(one);
  }
  co_await look_at_locations();
  co_return Result<void>{};
}

Task<void> EventSubscription::look_again() {
  if (principal.scope && is_mount_name(principal.scope->front())) {
    // A key that is limited to a folder of a mount reaches nothing without that.
    const AccountId account = principal.account->id;
    const auto mount = co_await services_.mounts.find(account, principal.scope->front());
    if (!mount && is_gone(mount.error())) feed->end();
  }
  co_await look_at_account();
  co_await look_at_locations();
  co_await look_at_mounts();
}

Task<void> EventSubscription::look_at_mounts() {
  for (std::size_t index = 0; index < watched_.size(); ++index) {
    if (watched_[index].mount) co_await look_at_mount(index);
  }
}

Task<void> EventSubscription::look_at_mount(std::size_t index) {
  Watched& one = watched_[index];
  const auto opened = co_await services_.mounts.open(principal.account->id, one.mount->prefix);
  if (!opened) {
    // A mount that is not served now is looked at again with the next change.
    if (!is_gone(opened.error()) || !one.watch) co_return;
    one.watch = nullptr;
    one.opened = nullptr;
    feed->folder_changed(index);
    co_return;
  }
  if (one.watch && one.opened == opened->backend) co_return;
  auto again = co_await watch(index);
  if (!again) co_return;
  // The old watch ends before what it watches is let go.
  one.watch = nullptr;
  one = *std::move(again);
  feed->folder_changed(index);
}

Task<void> EventSubscription::look_at_account() {
  auto now = co_await services_.catalog.accounts().get(principal.account->id);
  if (!now || looks_alike(*now, account_)) co_return;
  account_ = *std::move(now);
  if (!principal.scope) feed->account_changed();
}

/// The places beside own files show in the root.
Task<void> EventSubscription::look_at_locations() {
  if (principal.scope) co_return;
  auto mounts = co_await services_.mounts.of(principal.account->id);
  if (!mounts) co_return;
  std::string now = describe(*std::move(mounts));
  const auto before = std::exchange(locations_, std::move(now));
  if (!before || *before == *locations_) co_return;
  feed->account_changed();
  const auto root = std::ranges::find_if(folders, &Path::is_root);
  if (root != folders.end()) {
    feed->folder_changed(static_cast<std::size_t>(root - folders.begin()));
  }
}

bool EventSubscription::has_share() const {
  return std::ranges::any_of(watched_, [](const Watched& one) {
    return one.mount && one.mount->kind == LocationKind::shared;
  });
}

bool EventSubscription::has_expired() const {
  return principal.expires_at && *principal.expires_at <= now();
}

}  // namespace coffer::core
