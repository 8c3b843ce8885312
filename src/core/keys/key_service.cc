#include "core/keys/key_service.h"

#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "core/keys/secret.h"
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

/// The scope of a new key, from the account's root; nothing for full access.
Task<Result<std::optional<Path>>> scope_of(const Principal& principal, HomeDirectories& homes,
                                           Mounts& mounts, const Path& folder) {
  if (folder.is_root()) co_return principal.within();
  const auto place = co_await Namespace(homes, mounts).resolve(principal, folder);
  if (!place) co_return failure_of(place);
  const auto entry = co_await place->backend->stat(place->path);
  if (!entry) co_return failure_of(entry);
  if (!entry->is_directory) co_return fail(ErrorCode::invalid, "The key's folder is a file.");
  // Scopes follow their folder, so they are kept by the one path that is not made of links.
  const auto canonical = co_await place->backend->canonical(place->path);
  if (!canonical) co_return failure_of(canonical);
  co_return std::optional<Path>(place->base / *canonical);
}

}  // namespace

Task<Result<std::vector<catalog::Key>>> KeyService::list(const Principal& principal) {
  co_return co_await keys_.list(principal.account->id, principal.within());
}

Task<Result<CreatedKey>> KeyService::create(const Principal& principal, KeyRequest request) {
  auto formed = check_request(request);
  if (!formed) co_return failure_of(std::move(formed));
  auto allowed = check_may_write(principal);
  if (!allowed) co_return failure_of(std::move(allowed));
  const std::string secret = random_uuid();
  catalog::NewKey wanted;
  wanted.account = principal.account->id;
  wanted.name = std::move(request.name);
  wanted.preview = secret.substr(0, kPreviewLength) + "…";
  wanted.hash = hash_secret(secret);
  wanted.read_only = request.read_only;
  wanted.expires_at = request.expires_at;
  wanted.asker = asker_of(principal);
  auto key = co_await store(principal, request.folder, std::move(wanted));
  if (!key) co_return failure_of(std::move(key));
  co_return CreatedKey{*std::move(key), secret};
}

Task<Result<catalog::Key>> KeyService::store(const Principal& principal, const Path& folder,
                                             catalog::NewKey wanted) {
  if (folder.is_root() && !principal.scope) co_return co_await keys_.create(std::move(wanted));
  const Path base = principal.scope ? *principal.scope : Path();
  const Path whole = base / folder;
  const auto hold = co_await folder_changes_.keep_out(wanted.account, whole);
  if (!hold) co_return failure_of(hold);
  // The principal's own folder may have been renamed until then.
  auto stands = co_await access_recheck_.of(principal, {});
  if (!stands) co_return failure_of(std::move(stands));
  auto scope = co_await scope_of(principal, homes_, mounts_, folder);
  if (!scope) co_return failure_of(std::move(scope));
  wanted.folder = *std::move(scope);
  auto key = co_await keys_.create(std::move(wanted));
  if (!key) co_return key;
  // A command makes keys beside the server, whose changes it cannot keep out.
  const auto still = co_await scope_of(principal, homes_, mounts_, folder);
  if (still && *still == key->folder) co_return key;
  auto revoked = co_await keys_.revoke(key->account, key->id, std::nullopt);
  if (!revoked && revoked.error().code != ErrorCode::not_found) co_return failure_of(revoked);
  co_return fail(ErrorCode::not_found, "There is no such folder any more.");
}

Task<Result<void>> KeyService::revoke(const Principal& principal, std::string_view id,
                                      catalog::Made made) {
  auto allowed = check_may_write(principal);
  if (!allowed) co_return allowed;
  KeyId key{std::string(id)};
  co_return co_await keys_.revoke(principal.account->id, std::move(key), principal.within(),
                                  asker_of(principal), made);
}

}  // namespace coffer::core
