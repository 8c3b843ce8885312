#include "api/dav/call.h"

#include <algorithm>
#include <utility>

#include "api/caller.h"
#include "base/encoding.h"
#include "base/log.h"
#include "base/normal_form.h"
#include "base/text.h"
#include "core/files/files.h"
#include "http/query.h"
#include "http/syntax.h"

namespace coffer::api::dav {
namespace {

constexpr std::string_view kLoopbackIpv4 = "127.";
constexpr std::string_view kLoopbackIpv6 = "::1";

/// True if no other machine could read what the client sent.
bool is_private(const http::Request& request) {
  if (request.is_secure || request.is_local) return true;
  return request.remote_address.starts_with(kLoopbackIpv4) ||
         request.remote_address == kLoopbackIpv6;
}

std::unexpected<Error> needs_key() {
  return fail(ErrorCode::unauthenticated,
              "Sign in with the account's name, and a key of it as the password.");
}

/// Attributes of files, and how Finder shows a folder.
bool is_mac_file(std::string_view name) {
  return name.starts_with("._") || name == ".DS_Store";
}

core::SignInClient client_of(const http::Request& request) {
  const std::string_view agent = request.header("User-Agent").value_or("");
  return {std::string(request.remote_address), std::string(is_utf8(agent) ? agent : "")};
}

struct Credentials {
  std::string user;
  std::string secret;
};

/// The value of `Authorization: Basic`.
Result<Credentials> basic_credentials(std::string_view header) {
  const std::string_view scheme = http::cut_front(header, ' ');
  if (!equal_ignoring_case(scheme, "Basic")) return needs_key();
  const auto text = from_base64(http::trim(header));
  if (!text) return needs_key();
  const auto colon = text->find(':');
  if (colon == std::string::npos) return needs_key();
  const std::string user = text->substr(0, colon);
  if (!is_utf8(user) || has_control_character(user)) return needs_key();
  return Credentials{user, text->substr(colon + 1)};
}

Task<Result<core::Principal>> identify(Services& services, const http::Request& request,
                                       Options options) {
  const auto key = request.header("X-API-Key");
  if (key && !key->empty()) co_return co_await services.authenticator.by_key(*key);
  const auto header = request.header("Authorization");
  if (!header) co_return needs_key();
  CO_TRY(auto given, basic_credentials(*header));
  auto caller = co_await services.authenticator.by_key(given.secret);
  if (caller && !equal_ignoring_case(caller->account->name, given.user)) co_return needs_key();
  const bool is_no_key = !caller && caller.error().code == ErrorCode::unauthenticated;
  if (!is_no_key || options.passwords == nullptr) co_return caller;
  co_return co_await options.passwords->find(std::move(given.user), std::move(given.secret),
                                             client_of(request));
}

std::string_view without_port(std::string_view host, std::string_view scheme) {
  const std::string_view usual = equal_ignoring_case(scheme, "https") ? ":443" : ":80";
  if (host.ends_with(usual)) host.remove_suffix(usual.size());
  return host;
}

bool is_same_host(std::string_view one, std::string_view other) {
  for (const std::string_view scheme : {"http", "https"}) {
    if (equal_ignoring_case(without_port(one, scheme), without_port(other, scheme))) return true;
  }
  return false;
}

/// Of an origin; empty if that is.
std::string_view host_of(std::string_view origin) {
  const auto mark = origin.find("://");
  return mark == std::string_view::npos ? std::string_view() : origin.substr(mark + 3);
}

std::unexpected<Error> elsewhere() {
  return fail(ErrorCode::refused, "The header Destination names another server or tree.");
}

/// The path of an absolute address, or of one from the root of this server.
Result<std::string_view> path_of_address(const Services& services, std::string_view address,
                                         const http::Request& request) {
  if (address.starts_with('/')) return address;
  const auto mark = address.find("://");
  if (mark == std::string_view::npos) {
    return fail(ErrorCode::invalid, "The header Destination is no address.");
  }
  const std::string_view rest = address.substr(mark + 3);
  const auto slash = std::min(rest.find('/'), rest.size());
  const std::string_view wanted = rest.substr(0, slash);
  const auto host = request.header("Host");
  const std::string_view known = host_of(services.public_url);
  const bool is_here =
      (host && is_same_host(wanted, *host)) || (!known.empty() && is_same_host(wanted, known));
  if (!is_here) return elsewhere();
  return rest.substr(slash);
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

Task<Result<bool>> exists(Services& services, const core::Principal& principal, const Path& path) {
  const auto item = co_await services.files.info(principal, path);
  if (item) co_return true;
  if (item.error().code != ErrorCode::not_found) co_return failure_of(item);
  co_return false;
}

/// The name of the item in the folder, in the form in which it is there; as it is if there is none.
Task<Result<std::string>> existing_name(Services& services, const core::Principal& principal,
                                        const Path& folder, std::string name) {
  for (const NormalForm form : {NormalForm::composed, NormalForm::decomposed}) {
    const std::string other = normalized(name, form);
    if (other == name) continue;
    CO_TRY(const auto tail, Path::parse(other));
    CO_TRY(const bool is_there, co_await exists(services, principal, folder / tail));
    if (is_there) co_return other;
  }
  co_return name;
}

/// Finds an item whose name has its accents in the other form: macOS sends another one than most
/// others do. A new item keeps the form in which it is sent.
Task<Result<Path>> in_existing_form(Services& services, const core::Principal& principal,
                                    Path path) {
  if (is_ascii(path.str())) co_return path;
  CO_TRY(const bool is_whole_there, co_await exists(services, principal, path));
  if (is_whole_there) co_return path;
  Path found;
  for (const std::string_view part : path.components()) {
    std::string name(part);
    CO_TRY(auto tail, Path::parse(name));
    CO_TRY(const bool is_there, co_await exists(services, principal, found / tail));
    if (!is_there) {
      CO_TRY(name, co_await existing_name(services, principal, found, std::move(name)));
      CO_TRY(tail, Path::parse(name));
    }
    found = found / tail;
  }
  co_return found;
}

/// True if an own item of the root has the name.
Task<bool> is_own_item(Services& services, const core::Principal& principal,
                       const std::string& name) {
  const auto path = Path::parse(name);
  if (!path) co_return false;
  const auto item = co_await services.files.info(principal, *path);
  co_return item.has_value();
}

/// Resolves the first component, which may be a mount's name.
Task<Result<Path>> with_prefix(Services& services, const core::Principal& principal, Path path) {
  if (principal.scope || path.is_root() || core::is_mount_name(path.front())) co_return path;
  CO_TRY(const auto names, co_await mount_names(services, principal));
  const std::string name(path.front());
  CO_TRY(const auto prefix, Path::parse(names.prefix_of(name)));
  if (prefix.is_root()) co_return path;
  const bool is_taken = co_await is_own_item(services, principal, name);
  if (is_taken) co_return path;
  co_return prefix / path.without_front();
}

}  // namespace

Result<void> check_new_name(const Call& call, const Path& item) {
  if (call.options.takes_mac_files || !is_mac_file(item.name())) return {};
  return fail(ErrorCode::forbidden,
              "The files that macOS makes for itself are not stored here (webdav_mac_files).");
}

Task<Result<core::Principal>> authenticate(Services& services, http::Request& request,
                                           Options options) {
  if (!is_private(request)) {
    co_return fail(ErrorCode::forbidden,
                   "WebDAV is served by HTTPS alone, since its clients send the key with each "
                   "request. If a proxy speaks HTTPS, name it in trusted_proxies.");
  }
  auto caller = co_await identify(services, request, options);
  if (!caller) co_return caller;
  caller->address = request.remote_address;
  if (logs_json()) note_caller(*caller, request);
  co_return caller;
}

Task<Result<Path>> path_in(Services& services, const core::Principal& principal,
                           std::string_view rest) {
  std::string decoded;
  while (!rest.empty()) {
    CO_TRY(const std::string part, http::percent_decode(http::cut_front(rest, '/'), false));
    if (part.find('/') != std::string::npos) {
      co_return fail(ErrorCode::invalid, "A name cannot contain a slash.");
    }
    decoded.append(part).append("/");
  }
  CO_TRY(auto path, Path::parse(decoded));
  CO_TRY(path, co_await with_prefix(services, principal, std::move(path)));
  co_return co_await in_existing_form(services, principal, std::move(path));
}

Result<std::string> rest_of_address(const Services& services, std::string_view address,
                                    const http::Request& request) {
  TRY(std::string_view path, path_of_address(services, address, request));
  path = path.substr(0, path.find_first_of("?#"));
  if (!path.starts_with(request.base_path)) return elsewhere();
  path.remove_prefix(request.base_path.size());
  if (path == kTop.substr(0, kTop.size() - 1)) return std::string();
  if (!path.starts_with(kTop)) return elsewhere();
  return std::string(path.substr(kTop.size()));
}

Task<Result<Path>> destination_of(const Call& call) {
  const auto header = call.request.header("Destination");
  if (!header) co_return fail(ErrorCode::invalid, "The header Destination is missing.");
  CO_TRY(const std::string rest, rest_of_address(call.services, *header, call.request));
  co_return co_await path_in(call.services, call.principal, rest);
}

Task<Result<MountNames>> mount_names(Services& services, const core::Principal& principal) {
  CO_TRY(const auto mounts, co_await services.files.mounts(principal));
  co_return MountNames(mounts);
}

Task<std::string> shown_name(Services& services, const core::Principal& principal,
                             const MountNames& names, const core::Mount& mount) {
  std::string name = names.of(mount);
  if (name == mount.prefix) co_return name;
  const bool is_taken = co_await is_own_item(services, principal, name);
  co_return is_taken ? mount.prefix : name;
}

Task<std::string> shown_path(const Call& call) {
  const Path& path = call.path;
  if (path.is_root() || !core::is_mount_name(path.front())) co_return path.str();
  const auto top = Path::parse(path.front());
  const auto item = co_await call.services.files.info(call.principal, *top);
  if (!item || !item->mount) co_return path.str();
  const auto names = co_await mount_names(call.services, call.principal);
  if (!names) co_return path.str();
  std::string shown = co_await shown_name(call.services, call.principal, *names, *item->mount);
  const Path rest = path.without_front();
  if (!rest.is_root()) shown.append("/").append(rest.str());
  co_return shown;
}

std::string href_of(std::string_view base_path, std::string_view shown, bool is_folder) {
  // The characters that a path may hold as they are (RFC 3986, section 3.3), but for `&`, which XML
  // has to escape.
  std::string href(base_path);
  href += kTop;
  href += http::percent_encode(shown, "-._~!$'()*+,;=:@/");
  if (is_folder && !shown.empty()) href += '/';
  return href;
}

Result<Depth> depth_of(const http::Request& request) {
  if (!request.has("Depth")) return Depth::infinity;
  const std::string_view value = request.header("Depth").value_or("");
  if (value == "0") return Depth::zero;
  if (value == "1") return Depth::one;
  if (equal_ignoring_case(value, "infinity")) return Depth::infinity;
  return fail(ErrorCode::invalid, "The header Depth is 0, 1 or infinity.");
}

}  // namespace coffer::api::dav
