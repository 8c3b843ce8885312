#include "core/namespace/mounts.h"

#include <algorithm>
#include <boost/json.hpp>
#include <iterator>
#include <utility>

#include "base/character_set.h"
#include "base/name_order.h"
#include "catalog/mount_paths.h"

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

struct Opening {
  Mount mount;
  Task<Result<std::shared_ptr<storage::Backend>>> backend;
};

/// Calls `f` with the share or connector of that prefix.
template <class R, class F>
R with_mount(const catalog::AccountMounts& mounts, std::string_view prefix, F f) {
  if (prefix.starts_with(kSharePrefix)) {
    prefix.remove_prefix(kSharePrefix.size());
    if (const catalog::Share* share = mounts.share(prefix)) return f(*share);
  } else if (prefix.starts_with(kConnectorPrefix)) {
    prefix.remove_prefix(kConnectorPrefix.size());
    if (const catalog::Connector* connector = mounts.connector(prefix)) return f(*connector);
  }
  return no_such_location();
}

}  // namespace

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

Task<Result<std::shared_ptr<const catalog::AccountMounts>>> Mounts::read(AccountId account) {
  if (auto now = catalog_.find_now(account)) co_return std::move(now);
  co_return co_await catalog_.find(account);
}

Task<Result<std::vector<Mount>>> Mounts::of(AccountId account) {
  CO_TRY(const auto mounts, co_await read(account));
  std::vector<Mount> all;
  for (const catalog::Share& share : mounts->shares) all.push_back(mount_of(share));
  for (const catalog::Connector& one : mounts->connectors) all.push_back(mount_of(one));
  co_return all;
}

Task<Result<Mount>> Mounts::find(AccountId account, std::string_view prefix) {
  CO_TRY(const auto mounts, co_await read(account));
  co_return with_mount<Result<Mount>>(*mounts, prefix,
                                      [](const auto& one) { return mount_of(one); });
}

Task<Result<OpenMount>> Mounts::open(AccountId account, std::string_view prefix) {
  CO_TRY(const auto mounts, co_await read(account));
  CO_TRY(auto opening, with_mount<Result<Opening>>(*mounts, prefix, [&](const auto& one) {
           return Result<Opening>({mount_of(one), backends_.of(one)});
         }));
  CO_TRY(auto backend, as_used(co_await std::move(opening.backend)));
  co_return OpenMount{std::move(opening.mount), std::move(backend)};
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
