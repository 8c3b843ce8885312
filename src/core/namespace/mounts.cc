#include "core/namespace/mounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "base/character_set.h"
#include "base/name_order.h"
#include "catalog/mount_paths.h"
#include "core/namespace/one_file.h"

namespace coffer::core {
namespace {

using catalog::kConnectorPrefix;
using catalog::kSharePrefix;

/// Of a share or a connector.
template <class Location>
Mount mount_of(const Location& location, LocationKind kind, std::string target,
               std::string leads_to) {
  Mount mount;
  mount.kind = kind;
  mount.prefix = catalog::top_of(location.id).str();
  mount.name = location.name;
  mount.description = location.description;
  mount.target = std::move(target);
  mount.leads_to = std::move(leads_to);
  mount.read_only = location.read_only;
  mount.created_at = location.created_at;
  return mount;
}

Mount mount_of(const catalog::Share& share) {
  return mount_of(share, LocationKind::shared, share.name, share.target);
}

Mount mount_of(const catalog::PersonShare& share) {
  Mount mount;
  mount.prefix = catalog::top_of(share.id).str();
  mount.name = share.item.name();
  mount.target = fmt::format("{}: {}", owner_name(share), mount.name);
  mount.leads_to = catalog::leads_to_of(share.owner->id, share.item);
  mount.read_only = share.access == catalog::ShareAccess::read;
  mount.created_at = share.created_at;
  mount.given = std::make_shared<const catalog::PersonShare>(share);
  return mount;
}

bool has_ended(const catalog::PersonShare& share) {
  return share.expires_at && *share.expires_at <= now();
}

bool is_older(const catalog::PersonShare& one, const catalog::PersonShare& other) {
  return std::tie(one.created_at, one.id) < std::tie(other.created_at, other.id);
}

/// The shares of one item are one location: that of the oldest, with the widest access of all.
std::vector<Mount> mounts_of(const std::vector<catalog::PersonShare>& received) {
  struct Shown {
    const catalog::PersonShare* share;
    catalog::ShareAccess access;
  };
  std::map<std::pair<AccountId, Path>, Shown> items;
  for (const catalog::PersonShare& one : received) {
    if (has_ended(one)) continue;
    Shown& shown =
        items.try_emplace({one.owner->id, one.item}, Shown{&one, one.access}).first->second;
    if (is_older(one, *shown.share)) shown.share = &one;
    shown.access = std::max(shown.access, one.access);
  }
  std::vector<Mount> mounts;
  for (const auto& [item, shown] : items) {
    catalog::PersonShare share = *shown.share;
    share.access = shown.access;
    mounts.push_back(mount_of(share));
  }
  return mounts;
}

/// Gives the mount the widest access of the shares of its item, whichever of them it is.
void widen(Mount& mount, const std::vector<catalog::PersonShare>& received) {
  if (!mount.given) return;
  catalog::PersonShare share = *mount.given;
  for (const catalog::PersonShare& one : received) {
    const bool is_same = one.owner->id == share.owner->id && one.item == share.item;
    if (is_same && !has_ended(one)) share.access = std::max(share.access, one.access);
  }
  if (share.access != mount.given->access) mount = mount_of(share);
}

/// Of a drive all settings, since any may lead elsewhere.
std::string place_of(const catalog::Connector& connector) {
  if (connector.kind == catalog::ConnectorKind::drive) return connector.settings;
  boost::system::error_code error;
  const auto settings = boost::json::parse(connector.settings, error);
  boost::json::array place;
  for (const auto* part : {"/host", "/port", "/user", "/root"}) {
    const auto* value = settings.find_pointer(part, error);
    if (value == nullptr) return connector.settings;  // Damaged; who opens it is told.
    place.push_back(*value);
  }
  // In another set, paths mean other items.
  const auto* set = settings.find_pointer("/characterSet", error);
  const bool is_text = set != nullptr && set->is_string();
  const bool is_usual = is_text && std::string(set->get_string()) == word_of(CharacterSet::utf_8);
  if (set != nullptr && !is_usual) place.push_back(*set);
  return boost::json::serialize(place);
}

Mount mount_of(const catalog::Connector& connector) {
  return mount_of(connector, connector.kind, connector.target, place_of(connector));
}

std::unexpected<Error> no_such_location() {
  return fail(ErrorCode::not_found, "There is no such location.");
}

/// Setting a mount up says why it cannot be; using it is no wrong request.
Result<std::shared_ptr<storage::Backend>> as_used(Result<std::shared_ptr<storage::Backend>> made) {
  if (made || made.error().code != ErrorCode::invalid) return made;
  return fail(ErrorCode::not_found, "This location is not there any more.");
}

ShareFolder folder_of(const catalog::Share& share) {
  return {catalog::top_of(share.id), share.target};
}

bool is_moving(const catalog::AccountMounts& mounts, std::string_view prefix) {
  if (!prefix.starts_with(kSharePrefix)) return false;
  const auto* const given = mounts.person_share(prefix.substr(kSharePrefix.size()));
  return given && given->is_in_transit;
}

Task<void> pause_for_move() {
  constexpr auto kLookAgainAfter = std::chrono::milliseconds(20);
  asio::steady_timer timer(co_await asio::this_coro::executor, kLookAgainAfter);
  co_await timer.async_wait(asio::use_awaitable);
}

/// Calls `f` with the share, item of another account or connector of that prefix.
template <class R, class F>
R with_mount(const catalog::AccountMounts& mounts, std::string_view prefix, F f) {
  if (prefix.starts_with(kSharePrefix)) {
    prefix.remove_prefix(kSharePrefix.size());
    if (const catalog::Share* share = mounts.share(prefix)) return f(*share);
    const catalog::PersonShare* given = mounts.person_share(prefix);
    if (given && !has_ended(*given)) return f(*given);
  } else if (prefix.starts_with(kConnectorPrefix)) {
    prefix.remove_prefix(kConnectorPrefix.size());
    if (const catalog::Connector* connector = mounts.connector(prefix)) return f(*connector);
  }
  return no_such_location();
}

}  // namespace

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

bool is_mount_name(std::string_view component) {
  return component.starts_with(catalog::kSharePrefix) ||
         component.starts_with(catalog::kConnectorPrefix);
}

void sort_for_listing(std::vector<Mount>& mounts) {
  std::ranges::sort(mounts, {}, [](const Mount& mount) {
    return std::pair(NameOrder::of("").key(mount.name), mount.name);
  });
}

Task<Result<void>> try_out(Task<Result<std::shared_ptr<storage::Backend>>> opening) {
  CO_TRY(const auto backend, co_await std::move(opening));
  const Path top;
  const auto entries = co_await backend->list(top);
  co_return entries ? Result<void>() : failure_of(entries);
}

Task<Result<Mounts::MountsPtr>> Mounts::read(AccountId account) {
  if (auto now = catalog_.find_now(account)) co_return std::move(now);
  co_return co_await catalog_.find(account);
}

Task<Result<Mounts::MountsPtr>> Mounts::read_settled(AccountId account, std::string_view prefix) {
  constexpr int kMostLooks = 100;
  for (int look = 0; look < kMostLooks; ++look) {
    CO_TRY(auto mounts, co_await read(account));
    if (!is_moving(*mounts, prefix)) co_return mounts;
    co_await pause_for_move();
  }
  co_return fail(ErrorCode::unready, "This item is being moved by its owner; try again.");
}

Task<Result<std::vector<Mount>>> Mounts::of(AccountId account) {
  CO_TRY(const auto mounts, co_await read(account));
  std::vector<Mount> all = mounts_of(mounts->received);
  for (const catalog::Share& share : mounts->shares) all.push_back(mount_of(share));
  for (const catalog::Connector& one : mounts->connectors) all.push_back(mount_of(one));
  co_return all;
}

Task<Result<Mount>> Mounts::find(AccountId account, std::string_view prefix) {
  CO_TRY(const auto mounts, co_await read_settled(account, prefix));
  CO_TRY(auto mount,
         with_mount<Result<Mount>>(*mounts, prefix, [](const auto& one) { return mount_of(one); }));
  widen(mount, mounts->received);
  co_return mount;
}

Task<Result<OpenMount>> Mounts::open(AccountId account, std::string_view prefix) {
  CO_TRY(const auto mounts, co_await read_settled(account, prefix));
  using Opening = Result<Task<Result<OpenMount>>>;
  CO_TRY(auto opening, with_mount<Opening>(*mounts, prefix, [this](const auto& one) {
           return Opening(open_mount(one));
         }));
  CO_TRY(auto opened, co_await std::move(opening));
  widen(opened.mount, mounts->received);
  co_return opened;
}

template <class Location>
Task<Result<OpenMount>> Mounts::open_mount(const Location& location) {
  CO_TRY(auto backend, as_used(co_await backends_.of(location)));
  co_return OpenMount{mount_of(location), std::move(backend)};
}

Task<Result<OpenMount>> Mounts::open_mount(const catalog::PersonShare& share) {
  CO_TRY(auto home, homes_.of(*share.owner));
  OpenMount opened{mount_of(share), nullptr, home, share.item};
  if (share.is_folder) {
    opened.backend = limited(std::move(home), share.item);
    co_return opened;
  }
  opened.owner_base = share.item.parent();
  opened.backend = std::make_shared<OneFile>(limited(std::move(home), opened.owner_base),
                                             std::string(share.item.name()));
  co_return opened;
}

Task<Result<catalog::CachedMounts::GivenShares>> Mounts::given_by(AccountId owner) {
  if (auto now = catalog_.find_given_now(owner)) co_return std::move(now);
  co_return co_await catalog_.find_given(owner);
}

Task<Result<catalog::CachedMounts::AllShares>> Mounts::read_all_shares() {
  if (auto now = catalog_.find_all_shares_now()) co_return std::move(now);
  co_return co_await catalog_.find_all_shares();
}

Task<Result<OpenMount>> Mounts::open_share(std::string_view prefix) {
  CO_TRY(const auto shares, co_await read_all_shares());
  const auto has_prefix = [&](const catalog::Share& share) {
    return catalog::top_of(share.id).str() == prefix;
  };
  const auto share = std::ranges::find_if(*shares, has_prefix);
  if (share == shares->end()) co_return no_such_location();
  CO_TRY(auto backend, as_used(co_await backends_.of(*share)));
  co_return OpenMount{mount_of(*share), std::move(backend)};
}

Task<Result<std::vector<ShareFolder>>> Mounts::share_folders() {
  CO_TRY(const auto shares, co_await read_all_shares());
  std::vector<ShareFolder> all;
  if (shares->size() > 1) std::ranges::transform(*shares, std::back_inserter(all), folder_of);
  co_return all;
}

Task<Result<std::vector<ShareFolder>>> Mounts::share_folders(
    std::span<const std::string> prefixes) {
  CO_TRY(const auto shares, co_await read_all_shares());
  std::vector<ShareFolder> asked;
  std::ranges::transform(*shares, std::back_inserter(asked), folder_of);
  std::erase_if(asked, [&](const ShareFolder& share) {
    return std::ranges::find(prefixes, share.top.str()) == prefixes.end();
  });
  co_return asked;
}

}  // namespace coffer::core
