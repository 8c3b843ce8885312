#include "core/links/link_service.h"

#include <sodium.h>

#include <chrono>
#include <utility>

#include "base/client_network.h"
#include "base/log.h"
#include "base/random.h"
#include "base/text.h"
#include "core/keys/authenticator.h"
#include "core/keys/key_scopes.h"
#include "core/namespace/namespace.h"

namespace coffer::core {
namespace {

constexpr std::size_t kTokenBytes = 16;
constexpr std::size_t kLongestLabel = 100;
constexpr auto kVisitKept = std::chrono::hours(24);

/// Derived from the token and the password's hash: it ends with both and reveals neither.
std::string pass_of(std::string_view token, const catalog::Link& link) {
  return to_hex(hash_secret("link " + std::string(token) + link.password_hash));
}

bool is_pass(std::string_view shown, std::string_view token, const catalog::Link& link) {
  const std::string pass = pass_of(token, link);
  return shown.size() == pass.size() && sodium_memcmp(shown.data(), pass.data(), pass.size()) == 0;
}

Result<void> check_request(const LinkRequest& request) {
  if (request.path.is_root()) {
    return fail(ErrorCode::invalid, "The root itself cannot be shared. Share a folder in it.");
  }
  if (request.expires_at && *request.expires_at <= now()) {
    return fail(ErrorCode::invalid, "The time at which the link ends must be in the future.");
  }
  return request.password ? request.password->check() : Result<void>();
}

std::unexpected<Error> used_up() {
  return fail(ErrorCode::forbidden, "The link was used for as many downloads as it is good for.");
}

std::unexpected<Error> item_changed() {
  return fail(ErrorCode::not_found, "There is no such file or folder any more.");
}

}  // namespace

Path Guest::item() const {
  return principal.linked_file ? principal.linked_file->relative_to(*principal.scope) : Path();
}

SharedLink LinkService::shared(catalog::Link link) const {
  const auto token = sealer_.open(link.sealed_token);
  return {std::move(link), token ? *token : std::string()};
}

Task<Result<LinkService::Item>> LinkService::find_item(const Principal& principal,
                                                       const Path& path) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, path));
  CO_TRY(const auto entry, co_await place.backend->stat(place.path));
  CO_TRY(auto scope, co_await limited_scope_of(place, entry.is_directory));
  Item item;
  item.scope = std::move(scope);
  item.is_folder = entry.is_directory;
  item.read_only = place.read_only;
  co_return item;
}

Task<Result<SharedLink>> LinkService::create(const Principal& principal, LinkRequest request) {
  CO_TRY_VOID(check_request(request));
  const std::string token = random_hex(kTokenBytes);
  catalog::NewLink wanted;
  wanted.key.account = principal.account->id;
  wanted.key.name = cut_utf8(request.path.name(), kLongestLabel);
  wanted.key.hash = hash_secret(token);
  wanted.key.read_only = request.mode == catalog::LinkMode::read;
  wanted.key.expires_at = request.expires_at;
  wanted.key.asker = asker_of(principal);
  wanted.mode = request.mode;
  wanted.sealed_token = sealer_.seal(token);
  wanted.most_downloads = request.most_downloads;
  CO_TRY(auto link,
         co_await store(principal, request.path, std::move(wanted), std::move(request.password)));
  co_return SharedLink{std::move(link), token};
}

Result<void> LinkService::check_item(catalog::LinkMode mode, const Item& item) {
  if (mode == catalog::LinkMode::upload && !item.is_folder) {
    return fail(ErrorCode::invalid, "Uploads need a folder, and this is a file.");
  }
  if (mode == catalog::LinkMode::upload && item.read_only) {
    return fail(ErrorCode::forbidden, "This location is read-only.");
  }
  return {};
}

Task<Result<catalog::Link>> LinkService::store(const Principal& principal, const Path& path,
                                               catalog::NewLink wanted,
                                               std::optional<NewPassword> password) {
  Principal held = principal;
  CO_TRY_VOID(co_await namespace_.hold(held, path));
  // A link through symbolic links leads to their target.
  CO_TRY(const auto seen, co_await find_item(held, path));
  CO_TRY_VOID(check_item(wanted.mode, seen));
  if (password) {
    CO_TRY(auto place, passwords_.enter(password->asker));
    CO_TRY(wanted.password_hash, co_await place.hash(std::move(password->text)));
  }
  CO_TRY(const auto lock,
         co_await folder_changes_.lock_for_new_key(principal.account->id, seen.scope));
  CO_TRY_VOID(co_await access_recheck_.of(principal, {}));
  CO_TRY(auto item, co_await find_item(held, path));
  if (item.scope != seen.scope) co_return item_changed();
  CO_TRY_VOID(check_item(wanted.mode, item));
  wanted.key.folder = item.scope;
  wanted.is_folder = item.is_folder;
  CO_TRY(auto link, co_await links_.create(std::move(wanted), kMostLinks));
  // No lock keeps a mount from being led elsewhere.
  const auto still = co_await find_item(held, path);
  if (still && still->scope == item.scope) co_return link;
  auto ended = co_await links_.end(principal.account->id, link.key.id, std::nullopt);
  if (!ended && ended.error().code != ErrorCode::not_found) co_return failure_of(ended);
  co_return still ? item_changed() : failure_of(still);
}

Task<Result<std::vector<SharedLink>>> LinkService::list(const Principal& principal) {
  CO_TRY(auto links, co_await links_.list(principal.account->id));
  std::vector<SharedLink> all;
  for (catalog::Link& link : links) {
    all.push_back(shared(std::move(link)));
    // Some let write, and all outlive the key.
    if (principal.read_only) all.back().token.clear();
  }
  co_return all;
}

Task<Result<std::vector<catalog::LinkInShare>>> LinkService::list_in_shares(
    const Principal& principal) {
  co_return co_await links_.list_in_shares_of(principal.account->id);
}

Task<Result<void>> LinkService::end(const Principal& principal, std::string_view id) {
  KeyId key{std::string(id)};
  co_return co_await links_.end(principal.account->id, std::move(key), asker_of(principal));
}

Task<Result<Guest>> LinkService::find(std::string_view token, std::string_view pass) {
  CO_TRY(const auto grant, co_await authenticator_.by_link(token));
  CO_TRY(auto link, co_await links_.get(grant->key.account, grant->key.id));
  Guest guest;
  guest.principal = principal_of(grant);
  guest.principal.is_guest = true;
  if (!link.is_folder) {
    guest.principal.linked_file = std::exchange(guest.principal.scope, nullptr);
    guest.principal.scope = std::make_shared<const Path>(guest.principal.linked_file->parent());
  }
  guest.is_let_in = link.password_hash.empty() || is_pass(pass, token, link);
  guest.link = std::move(link);
  co_return guest;
}

Task<Result<std::string>> LinkService::let_in(std::string_view token, std::string password,
                                              std::string address) {
  CO_TRY(const auto guest, co_await find(token, ""));
  const catalog::Link& link = guest.link;
  if (link.password_hash.empty()) co_return pass_of(token, link);
  CO_TRY_VOID(co_await sign_in_.check_guest("link " + link.key.id.value, std::move(password),
                                            link.password_hash, std::move(address)));
  co_return pass_of(token, link);
}

Task<Result<void>> LinkService::count_download(const Guest& guest) {
  CO_TRY(const auto counted,
         co_await links_.count_download(guest.link.key.account, guest.link.key.id));
  if (counted) co_return Result<void>{};
  co_return used_up();
}

Task<Result<void>> LinkService::charge(AccountId account, catalog::LinkCharge charge) {
  CO_TRY(const auto given, co_await links_.charge(account, std::move(charge)));
  if (given) co_return Result<void>{};
  co_return used_up();
}

std::string LinkService::file_of(const Path& path, std::string_view etag) {
  return to_hex(hash_secret(path.str() + ' ' + std::string(etag))).substr(0, kVisitDigits);
}

// Guests know the token, but not how it is sealed.
std::string LinkService::visit_of(const catalog::Link& link, const std::string& address) {
  const std::string text = "visit " + link.sealed_token + ' ' + network_of(address);
  return to_hex(hash_secret(text)).substr(0, kVisitDigits);
}

Task<void> LinkService::sweep_visits() {
  const auto dropped = co_await links_.drop_visits(now() - kVisitKept);
  if (!dropped) spdlog::warn("old visits of links were not dropped: {}", dropped.error().message);
}

}  // namespace coffer::core
