#include "core/keys/key_service.h"

#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "core/keys/authenticator.h"
#include "core/namespace/namespace.h"

namespace coffer::core {
namespace {

constexpr std::size_t kPreviewLength = 8;
constexpr std::size_t kLabelLimit = 100;

Result<void> check_label(std::string_view label) {
  if (!is_utf8(label) || has_control_character(label)) {
    return fail(ErrorCode::invalid, "The key's name must be text without control characters.");
  }
  if (label.empty() || count_characters(label) > kLabelLimit) {
    return fail(ErrorCode::invalid, "The key's name must have 1 to 100 characters.");
  }
  return {};
}

Result<void> check_request(const KeyRequest& request) {
  if (request.expires_at && *request.expires_at <= now()) {
    return fail(ErrorCode::invalid, "The time at which the key ends must be in the future.");
  }
  return check_label(request.name);
}

/// The scope of a new key; nullopt for full access.
Task<Result<std::optional<Path>>> scope_of_new_key(const Principal& principal,
                                                   HomeDirectories& homes, Mounts& mounts,
                                                   const Path& folder) {
  if (folder.is_root()) co_return principal.within();
  CO_TRY(const auto place, co_await Namespace(homes, mounts).resolve(principal, folder));
  CO_TRY(const auto entry, co_await place.backend->stat(place.path));
  if (!entry.is_directory) co_return fail(ErrorCode::invalid, "The key's folder is a file.");
  co_return co_await limited_scope_of(place, true);
}

}  // namespace

Task<Result<std::vector<catalog::Key>>> KeyService::list(const Principal& principal) {
  co_return co_await keys_.list(principal.account->id, principal.within());
}

Task<Result<CreatedKey>> KeyService::create(const Principal& principal, KeyRequest request) {
  CO_TRY_VOID(check_request(request));
  CO_TRY_VOID(check_may_write(principal));
  CO_TRY_VOID(check_confirmed(principal));
  const std::string secret = random_uuid();
  catalog::NewKey wanted;
  wanted.account = principal.account->id;
  wanted.name = std::move(request.name);
  wanted.preview = secret.substr(0, kPreviewLength) + "…";
  wanted.hash = hash_secret(secret);
  wanted.read_only = request.read_only;
  wanted.expires_at = request.expires_at;
  wanted.asker = asker_of(principal);
  CO_TRY(auto key, co_await store(principal, request.folder, std::move(wanted)));
  co_return CreatedKey{std::move(key), secret};
}

Task<Result<catalog::Key>> KeyService::store(const Principal& principal, const Path& folder,
                                             catalog::NewKey wanted) {
  if (folder.is_root() && !principal.scope) co_return co_await keys_.create(std::move(wanted));
  const Path whole = principal.whole(folder);
  CO_TRY(const auto lock, co_await folder_changes_.lock_for_new_key(wanted.account, whole));
  // The principal's own folder may have been renamed until then.
  CO_TRY_VOID(co_await access_recheck_.of(principal, {}));
  Principal held = principal;
  CO_TRY_VOID(co_await Namespace(homes_, mounts_).hold(held, folder));
  CO_TRY(wanted.folder, co_await scope_of_new_key(held, homes_, mounts_, folder));
  CO_TRY(auto key, co_await keys_.create(std::move(wanted)));
  // No lock keeps a mount from being led elsewhere, or a command beside the server from a change.
  const auto still = co_await scope_of_new_key(held, homes_, mounts_, folder);
  if (still && *still == key.folder) co_return key;
  auto revoked = co_await keys_.revoke(key.account, key.id, std::nullopt);
  if (!revoked && revoked.error().code != ErrorCode::not_found) co_return failure_of(revoked);
  co_return fail(ErrorCode::not_found, "There is no such folder any more.");
}

Task<Result<void>> KeyService::revoke(const Principal& principal, std::string_view id,
                                      catalog::Made made) {
  CO_TRY_VOID(check_may_write(principal));
  KeyId key{std::string(id)};
  co_return co_await keys_.revoke(principal.account->id, std::move(key), principal.within(),
                                  asker_of(principal), made);
}

}  // namespace coffer::core
