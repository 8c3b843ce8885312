#include "core/sharing/person_share_service.h"

#include <fmt/format.h>

#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "catalog/mount_paths.h"
#include "core/keys/authenticator.h"
#include "core/keys/key_scopes.h"

namespace coffer::core {
namespace {

using catalog::GivenShare;
using catalog::Receiver;
using catalog::ShareAccess;

constexpr std::size_t kLongestShareLabel = 100;
constexpr std::size_t kSecretBytes = 32;

std::unexpected<Error> is_not_own() {
  return fail(ErrorCode::forbidden,
              "Only your own files and folders can be shared: what is in a shared folder or "
              "on a connected server is not yours to give away.");
}

Result<void> check_access(ShareAccess access, bool is_folder) {
  if (access != ShareAccess::add || is_folder) return {};
  return fail(ErrorCode::invalid,
              "Nothing can be added to a file: share it with the access read or write.");
}

ReceivedShare received_by(const std::vector<catalog::ReceivedWay>& ways,
                          std::shared_ptr<const catalog::PersonShare> share) {
  ReceivedShare received{std::move(share), {}};
  const Timestamp time = now();
  for (const catalog::ReceivedWay& way : ways) {
    const bool is_of_item = way.owner == received.share->owner->id &&
                            way.item == received.share->item &&
                            way.access == received.share->access;
    if (is_of_item && (!way.expires_at || *way.expires_at > time)) {
      received.through.push_back(way.receiver);
    }
  }
  return received;
}

}  // namespace

Task<Result<PersonShareService::Item>> PersonShareService::find_item(const Principal& principal,
                                                                     const Path& path) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, path));
  if (place.mount) co_return is_not_own();
  CO_TRY(const auto entry, co_await place.backend->stat(place.path));
  CO_TRY(auto scope, co_await limited_scope_of(place, entry.is_directory));
  co_return Item{std::move(scope), entry.is_directory};
}

Task<Result<GivenShare>> PersonShareService::create(const Principal& principal,
                                                    PersonShareRequest request) {
  if (request.path.is_root()) {
    co_return fail(ErrorCode::invalid, "The root itself cannot be shared. Share a folder in it.");
  }
  CO_TRY(const auto seen, co_await find_item(principal, request.path));
  CO_TRY_VOID(check_access(request.access, seen.is_folder));
  CO_TRY(const auto lock,
         co_await folder_changes_.lock_for_new_key(principal.account->id, seen.scope));
  CO_TRY_VOID(co_await access_recheck_.of(principal, {}));
  CO_TRY(auto item, co_await find_item(principal, request.path));
  if (item.scope != seen.scope || item.is_folder != seen.is_folder) {
    co_return fail(ErrorCode::not_found, "There is no such file or folder any more.");
  }
  catalog::NewPersonShare wanted;
  wanted.key.account = principal.account->id;
  wanted.key.name = cut_utf8(item.scope.name(), kLongestShareLabel);
  wanted.key.folder = std::move(item.scope);
  // No secret opens it: nobody keeps this one.
  wanted.key.hash = hash_secret(random_hex(kSecretBytes));
  wanted.key.asker = asker_of(principal);
  wanted.is_folder = item.is_folder;
  wanted.access = request.access;
  wanted.receivers = std::move(request.receivers);
  wanted.among = among_;
  co_return co_await shares_.create(std::move(wanted));
}

Task<Result<std::vector<GivenShare>>> PersonShareService::list_given(const Principal& principal) {
  co_return co_await shares_.list(principal.account->id);
}

Task<Result<std::vector<ReceivedShare>>> PersonShareService::list_received(
    const Principal& principal) {
  CO_TRY(auto mounts, co_await mounts_.of(principal.account->id));
  std::erase_if(mounts, [](const Mount& mount) { return !mount.given; });
  sort_for_listing(mounts);
  CO_TRY(const auto ways, co_await shares_.ways_to(principal.account->id));
  std::vector<ReceivedShare> received;
  for (const Mount& mount : mounts) received.push_back(received_by(ways, mount.given));
  co_return received;
}

Task<Result<ReceivedShare>> PersonShareService::find_received(const Principal& principal,
                                                              std::string id) {
  const std::string prefix = std::string(catalog::kSharePrefix) + id;
  CO_TRY(const auto mount, co_await mounts_.find(principal.account->id, prefix));
  if (!mount.given) co_return fail(ErrorCode::not_found, "There is no such share.");
  CO_TRY(const auto ways, co_await shares_.ways_to(principal.account->id));
  co_return received_by(ways, mount.given);
}

Task<Result<GivenShare>> PersonShareService::find_given(const Principal& principal,
                                                        std::string id) {
  ShareId share{std::move(id)};
  co_return co_await shares_.find(principal.account->id, std::move(share));
}

Task<Result<GivenShare>> PersonShareService::change(
    const Principal& principal, std::string id, std::optional<ShareAccess> access,
    std::optional<std::vector<Receiver>> receivers) {
  CO_TRY(const auto given, co_await find_given(principal, id));
  if (access) CO_TRY_VOID(check_access(*access, given.share.is_folder));
  catalog::PersonShareChange change;
  change.access = access;
  change.receivers = std::move(receivers);
  change.among = among_;
  change.asker = asker_of(principal);
  co_return co_await shares_.change(principal.account->id, given.share.id, std::move(change));
}

Task<Result<void>> PersonShareService::end(const Principal& principal, std::string id) {
  ShareId share{std::move(id)};
  auto asker = asker_of(principal);
  co_return co_await shares_.end(principal.account->id, std::move(share), std::move(asker));
}

Task<Result<std::vector<Receiver>>> PersonShareService::search(const Principal& principal,
                                                               std::string text) {
  if (count_characters(text) < kLeastSearched) {
    co_return fail(ErrorCode::invalid, fmt::format("Type {} characters at least.", kLeastSearched));
  }
  co_return co_await shares_.search(principal.account->id, std::move(text), among_, kMostFound);
}

}  // namespace coffer::core
