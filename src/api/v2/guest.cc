#include "api/v2/guest.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "api/caller.h"
#include "api/v2/body.h"
#include "api/v2/files.h"
#include "api/v2/metered_content.h"
#include "base/text.h"

namespace coffer::api::v2 {
namespace {

struct GuestDetails {
  static constexpr std::string_view kSchema = "GuestLink";
  FIELD(catalog::LinkMode, mode, "read, or upload.", R"("read")");
  FIELD(bool, needsPassword,
        "True until the password was given; until then the other members are null.", "false");
  FIELD(std::optional<std::string>, name, "The item's name.", R"("holiday")");
  FIELD(std::optional<bool>, isDirectory, "True if it is a folder.", "true");
  FIELD(std::optional<std::uint64_t>, size, "The bytes of a file; null for a folder.", "null");
  FIELD(std::optional<Timestamp>, modifiedAt,
        "The modification time of a file, UTC; null for a folder.", "null");
  FIELD(std::optional<Timestamp>, expiresAt, "The end of the link's validity, UTC; null for none.",
        "null");
  FIELD(std::optional<std::uint64_t>, downloadsLeft,
        "The number of downloads left; null for no limit.", "null");
};

struct GuestPassword {
  FIELD(Password, password, "The link's password.", R"("correct horse")");
};

struct GuestPage : GuestToken, PageParameters {
  FIELDS_OF(GuestToken, PageParameters);
};

struct GuestContent : GuestToken {
  FIELD(std::optional<Path>, path,
        "The file, from the shared folder; empty or missing for a shared file.", R"("photo.jpg")");
  FIELD(std::optional<Disposition>, disposition, ContentParameters::dispositionField::kDoc.text,
        R"("inline")");
};

struct GuestArchive : GuestToken, ArchivePaths, ArchiveShape {
  FIELDS_OF(GuestToken, ArchivePaths, ArchiveShape);
};

constexpr std::string_view kCookie = "coffer_guest";
constexpr int kCookieSeconds = 12 * 3600;
constexpr std::string_view kVisitCookie = "coffer_visit";
constexpr int kVisitSeconds = 24 * 3600;

/// A cookie for the addresses of the call's link alone.
std::pair<std::string, std::string> cookie_header(const Call& call, std::string_view name,
                                                  std::string_view value, int seconds) {
  return {"Set-Cookie",
          fmt::format("{}={}; Path={}/api/v2/guest/{}; HttpOnly; SameSite=Strict; Max-Age={}{}",
                      name, value, call.request.base_path, call.request.captures.front(), seconds,
                      call.request.is_secure ? "; Secure" : "")};
}

Task<Result<core::Guest>> guest_of(Services& services, http::Request& request) {
  CO_TRY_VOID(refuse_foreign_page(request));
  const std::string_view pass = cookie_of(request, kCookie).value_or("");
  CO_TRY(auto guest, co_await services.links.find(request.captures.front(), pass));
  request.account = guest.principal.account->name;
  request.key_id = guest.link.key.id.value;
  guest.principal.address = request.remote_address;
  co_return guest;
}

Result<void> check_guest(const core::Guest& guest, catalog::LinkMode mode) {
  if (!guest.is_let_in) {
    return fail(ErrorCode::unauthenticated, "This link needs a password.");
  }
  if (guest.link.mode == mode) return {};
  return fail(ErrorCode::forbidden, mode == catalog::LinkMode::read
                                        ? "This link is for uploads alone."
                                        : "This link is for downloads alone.");
}

/// Like a call of the account itself, of what the link opens.
Call call_of(Services& services, http::Request& request, const core::Guest& guest) {
  return Call{services, request, guest.principal};
}

Task<Result<core::Guest>> reading_guest(const Call& call) {
  CO_TRY(auto guest, co_await guest_of(call.services, call.request));
  CO_TRY_VOID(check_guest(guest, catalog::LinkMode::read));
  co_return guest;
}

Result<void> check_is_folder(const core::Guest& guest) {
  if (guest.link.is_folder) return {};
  return fail(ErrorCode::invalid, "This link opens one file: download its content.");
}

/// What the item is called: of a mount as it is shown, not as its path is.
Task<Result<void>> add_item(Services& services, const core::Guest& guest, GuestDetails& details) {
  details.isDirectory = guest.link.is_folder;
  if (guest.link.is_folder) {
    CO_TRY(const auto locations, co_await services.files.locations(guest.principal));
    details.name = locations.front().name;
    co_return Result<void>{};
  }
  CO_TRY(const auto item, co_await services.files.info(guest.principal, guest.item()));
  details.name = item.entry.name;
  details.size = item.entry.size_bytes;
  details.modifiedAt = item.entry.modified_at;
  co_return Result<void>{};
}

Task<Result<Answer<GuestDetails>>> show_guest(Call call, GuestToken, NoBody) {
  CO_TRY(const auto guest, co_await guest_of(call.services, call.request));
  const catalog::Link& link = guest.link;
  GuestDetails details;
  details.mode = link.mode;
  details.needsPassword = !guest.is_let_in;
  if (guest.is_let_in) {
    CO_TRY_VOID(co_await add_item(call.services, guest, details));
    details.expiresAt = link.key.expires_at;
    if (link.most_downloads) details.downloadsLeft = *link.most_downloads - link.downloads;
  }
  co_return Answer<GuestDetails>{std::move(details)};
}

Task<Result<Answer<Nothing>>> let_guest_in(Call call, GuestToken parameters, GuestPassword body) {
  const std::string& token = parameters.token.value;
  CO_TRY(const auto pass,
         co_await call.services.links.let_in(token, std::move(body.password.value),
                                             std::string(call.request.remote_address)));
  Answer<Nothing> answer;
  answer.headers.push_back(cookie_header(call, kCookie, pass, kCookieSeconds));
  co_return answer;
}

Task<Result<http::Response>> list_for_guest(Call call, GuestPage parameters) {
  CO_TRY(const auto guest, co_await reading_guest(call));
  CO_TRY_VOID(check_is_folder(guest));
  co_return co_await list_page(call_of(call.services, call.request, guest), std::move(parameters));
}

/// The guest's visit, by which a download that goes on is known: a cookie's, as of a phone that is
/// in another network by now, or that of its network.
std::string visit_of(const Call& call, const core::Guest& guest) {
  const auto known = cookie_of(call.request, kVisitCookie);
  if (known && is_hex(*known, core::LinkService::kVisitDigits)) return std::string(*known);
  return core::LinkService::visit_of(guest.link, guest.principal.address);
}

/// Charges the link for what is sent of the file at `path`.
WrapContent metered(const Call& call, const core::Guest& guest, const Path& path,
                    std::string visit) {
  catalog::LinkCharge charge;
  charge.link = guest.link.key.id;
  charge.visit = std::move(visit);
  const AccountId account = guest.link.key.account;
  return [&links = call.services.links, account, path, charge = std::move(charge)](
             std::shared_ptr<http::Content> content, const http::ContentInfo& info) mutable {
    charge.file = core::LinkService::file_of(path, info.etag);
    charge.size_bytes = info.size_bytes;
    auto take = [&links, account, charge](std::uint64_t bytes) {
      catalog::LinkCharge piece = charge;
      piece.bytes = bytes;
      return links.charge(account, std::move(piece));
    };
    return std::make_shared<MeteredContent>(std::move(content), info.size_bytes, std::move(take));
  };
}

/// True for an answer with the file's first byte, or with all of an empty file.
bool begins_download(const http::Response& response) {
  if (response.status != 200 && response.status != 206) return false;
  const auto* body = std::get_if<http::ContentBody>(&response.body);
  return !body || body->stretches.empty() || body->stretches.front().offset == 0;
}

Task<Result<http::Response>> read_for_guest(Call call, GuestContent parameters) {
  CO_TRY(const auto guest, co_await reading_guest(call));
  const Path wanted = parameters.path.value_or(Path());
  if (!guest.link.is_folder && !wanted.is_root()) {
    co_return fail(ErrorCode::not_found, "This link opens one file: send no path.");
  }
  const Path path = guest.link.is_folder ? wanted : guest.item();
  const auto disposition = parameters.disposition.value_or(Disposition::attachment);
  if (guest.link.most_downloads) {
    const std::string visit = visit_of(call, guest);
    auto response = co_await serve_file(call, guest.principal, path, disposition, {},
                                        metered(call, guest, path, visit));
    if (response) {
      response->headers.push_back(cookie_header(call, kVisitCookie, visit, kVisitSeconds));
    }
    co_return response;
  }
  auto response = co_await serve_file(call, guest.principal, path, disposition);
  const bool is_head = call.request.method == http::Method::head;
  if (!response || is_head || !begins_download(*response)) co_return response;
  CO_TRY_VOID(co_await call.services.links.count_download(guest));
  co_return response;
}

Task<Result<http::Response>> send_archive_to_guest(Call call, GuestArchive parameters) {
  CO_TRY(const auto guest, co_await reading_guest(call));
  CO_TRY_VOID(check_is_folder(guest));
  ArchiveShape shape = parameters;
  auto response = co_await send_archive(call_of(call.services, call.request, guest),
                                        std::move(parameters.path.values), std::move(shape));
  if (!response || call.request.method == http::Method::head) co_return response;
  CO_TRY_VOID(co_await call.services.links.count_download(guest));
  co_return response;
}

}  // namespace

Task<Result<Call>> admit_guest(Services& services, http::Request& request, catalog::LinkMode mode) {
  CO_TRY(const auto guest, co_await guest_of(services, request));
  CO_TRY_VOID(check_guest(guest, mode));
  co_return call_of(services, request, guest);
}

std::vector<Route> guest_routes() {
  using http::Method;
  return {
      json_route(Route(Method::get, "/api/v2/guest/{token}", "showGuestLink", "Show a share link",
                       "The item that the link opens.", CallerRule::anyone, 200, {404, 502, 504}),
                 &show_guest),
      json_route(Route(Method::post, "/api/v2/guest/{token}/session", "letGuestIn",
                       "Show a share link's password",
                       "Sets a cookie for this link. After too many failures, further attempts are "
                       "refused for a while: 429 with Retry-After.",
                       CallerRule::anyone, 204, {404, 502, 504}),
                 &let_guest_in),
      bytes_route(Route(Method::get, "/api/v2/guest/{token}/files", "listGuestFolder",
                        "List a folder of a share link, page by page",
                        "As /api/v2/files, from the shared folder.", CallerRule::anyone, 200,
                        {404, 502, 504}, Form::json, true, &page_schema),
                  &list_for_guest),
      bytes_route(Route(Method::get, "/api/v2/guest/{token}/content", "readGuestContent",
                        "Download a file of a share link",
                        "As /api/v2/files/content. If downloads are limited, one buys a guest "
                        "the bytes of the file, by whatever requests within a day, and half of "
                        "them are given to all guests besides, once: a film that is looked at in "
                        "parts and a download that goes on count once, a few first bytes not at "
                        "all.",
                        CallerRule::anyone, 200, {404, 502, 504, 412, 416}, Form::download),
                  &read_for_guest),
      bytes_route(Route(Method::get, "/api/v2/guest/{token}/archive", "downloadGuestArchive",
                        "Download items of a share link as one archive",
                        "As /api/v2/archive, from the shared folder. It counts as one download.",
                        CallerRule::anyone, 200, {404, 502, 504}, Form::archive),
                  &send_archive_to_guest)};
}

}  // namespace coffer::api::v2
