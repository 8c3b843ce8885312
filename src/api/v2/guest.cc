#include "api/v2/guest.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "api/caller.h"
#include "api/v2/archive.h"
#include "api/v2/body.h"
#include "api/v2/content.h"
#include "api/v2/files.h"
#include "api/v2/link_mode.h"

namespace coffer::api {

namespace v2 {

struct GuestDetails {
  catalog::LinkMode mode = catalog::LinkMode::read;
  bool needsPassword = false;
  std::optional<std::string> name;
  std::optional<bool> isDirectory;
  std::optional<std::uint64_t> size;
  std::optional<Timestamp> modifiedAt;
  std::optional<Timestamp> expiresAt;
  std::optional<std::uint64_t> downloadsLeft;
};
BOOST_DESCRIBE_STRUCT(GuestDetails, (),
                      (mode, needsPassword, name, isDirectory, size, modifiedAt, expiresAt,
                       downloadsLeft))

struct GuestPassword {
  Password password;
};
BOOST_DESCRIBE_STRUCT(GuestPassword, (), (password))

struct GuestPage : GuestToken, PageParameters {};
BOOST_DESCRIBE_STRUCT(GuestPage, (GuestToken, PageParameters), ())

struct GuestContent : GuestToken {
  std::optional<Path> path;
  std::optional<Disposition> disposition;
};
BOOST_DESCRIBE_STRUCT(GuestContent, (GuestToken), (path, disposition))

struct GuestArchive : GuestToken, ArchiveParameters {};
BOOST_DESCRIBE_STRUCT(GuestArchive, (GuestToken, ArchiveParameters), ())

}  // namespace v2

template <>
struct Docs<v2::GuestDetails> {
  static constexpr std::string_view name = "GuestLink";
  static constexpr std::array<FieldDoc, 8> fields{{
      {"mode", "read, or upload.", R"("read")"},
      {"needsPassword", "Whether the password is still to be shown; until then the rest is null.",
       "false"},
      {"name", "The item's name.", R"("holiday")"},
      {"isDirectory", "Whether it is a folder.", "true"},
      {"size", "Of a file, in bytes; null for a folder.", "null"},
      {"modifiedAt", "Of a file, UTC; null for a folder.", "null"},
      {"expiresAt", "From when the link opens nothing any more, UTC; null for never.", "null"},
      {"downloadsLeft", "How many more downloads it is good for; null for any number.", "null"},
  }};
};

template <>
struct Docs<v2::GuestPassword> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"password", "The link's password.", R"("correct horse")"},
  }};
};

template <>
struct Docs<v2::GuestPage> {
  static constexpr auto fields =
      joined(Docs<v2::GuestToken>::fields, Docs<v2::PageParameters>::fields);
};

template <>
struct Docs<v2::GuestContent> {
  static constexpr auto fields =
      joined(Docs<v2::GuestToken>::fields,
             std::array<FieldDoc, 2>{{
                 {"path", "The file, from the shared folder; empty or missing for a shared file.",
                  R"("photo.jpg")"},
                 {"disposition", Docs<v2::ContentParameters>::fields[1].text, R"("inline")"},
             }});
};

template <>
struct Docs<v2::GuestArchive> {
  static constexpr auto fields =
      joined(Docs<v2::GuestToken>::fields, Docs<v2::ArchiveParameters>::fields);
};

namespace v2 {
namespace {

constexpr std::string_view kCookie = "coffer_guest";
constexpr int kCookieSeconds = 12 * 3600;

Task<Result<core::Guest>> guest_of(Services& services, http::Request& request) {
  auto own = refuse_foreign_page(request);
  if (!own) co_return failure_of(std::move(own));
  const std::string_view pass = cookie_of(request, kCookie).value_or("");
  auto guest = co_await services.links.find(request.captures.front(), pass);
  if (!guest) co_return guest;
  request.account = guest->principal.account->name;
  request.key_id = guest->link.key.id.value;
  guest->principal.address = request.remote_address;
  co_return guest;
}

Result<void> check_guest(const core::Guest& guest, catalog::LinkMode mode) {
  if (!guest.is_let_in) {
    return fail(ErrorCode::unauthenticated, "This link takes a password.");
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
  auto guest = co_await guest_of(call.services, call.request);
  if (!guest) co_return guest;
  auto allowed = check_guest(*guest, catalog::LinkMode::read);
  if (!allowed) co_return failure_of(std::move(allowed));
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
    const auto locations = co_await services.files.locations(guest.principal);
    if (!locations) co_return failure_of(locations);
    details.name = locations->front().name;
    co_return Result<void>{};
  }
  const auto item = co_await services.files.info(guest.principal, guest.item());
  if (!item) co_return failure_of(item);
  details.name = item->entry.name;
  details.size = item->entry.size_bytes;
  details.modifiedAt = item->entry.modified_at;
  co_return Result<void>{};
}

Task<Result<Answer<GuestDetails>>> show_guest(Call call, GuestToken, NoBody) {
  const auto guest = co_await guest_of(call.services, call.request);
  if (!guest) co_return failure_of(guest);
  const catalog::Link& link = guest->link;
  GuestDetails details;
  details.mode = link.mode;
  details.needsPassword = !guest->is_let_in;
  if (guest->is_let_in) {
    auto added = co_await add_item(call.services, *guest, details);
    if (!added) co_return failure_of(std::move(added));
    details.expiresAt = link.key.expires_at;
    if (link.most_downloads) details.downloadsLeft = *link.most_downloads - link.downloads;
  }
  co_return Answer<GuestDetails>{std::move(details)};
}

Task<Result<Answer<Nothing>>> let_guest_in(Call call, GuestToken parameters, GuestPassword body) {
  const std::string& token = parameters.token.value;
  const auto pass =
      co_await call.services.links.let_in(token, std::move(body.password.value), call.client());
  if (!pass) co_return failure_of(pass);
  Answer<Nothing> answer;
  answer.headers.emplace_back(
      "Set-Cookie", fmt::format("{}={}; Path=/api/v2/guest/{}; HttpOnly; SameSite=Strict; "
                                "Max-Age={}{}",
                                kCookie, *pass, call.request.captures.front(), kCookieSeconds,
                                call.request.is_secure ? "; Secure" : ""));
  co_return answer;
}

Task<Result<http::Response>> list_for_guest(Call call, GuestPage parameters) {
  const auto guest = co_await reading_guest(call);
  if (!guest) co_return failure_of(guest);
  auto folder = check_is_folder(*guest);
  if (!folder) co_return failure_of(std::move(folder));
  co_return co_await list_page(call_of(call.services, call.request, *guest), std::move(parameters));
}

Task<Result<http::Response>> read_for_guest(Call call, GuestContent parameters) {
  const auto guest = co_await reading_guest(call);
  if (!guest) co_return failure_of(guest);
  const Path wanted = parameters.path.value_or(Path());
  if (!guest->link.is_folder && !wanted.is_root()) {
    co_return fail(ErrorCode::not_found, "This link opens one file, which takes no path.");
  }
  const Path path = guest->link.is_folder ? wanted : guest->item();
  auto response = co_await serve_file(call, guest->principal, path,
                                      parameters.disposition.value_or(Disposition::attachment));
  const bool has_content = response && (response->status == 200 || response->status == 206);
  if (!has_content || call.request.method == http::Method::head) co_return response;
  auto counted = co_await call.services.links.count_download(*guest);
  if (!counted) co_return failure_of(std::move(counted));
  co_return response;
}

Task<Result<http::Response>> send_archive_to_guest(Call call, GuestArchive parameters) {
  const auto guest = co_await reading_guest(call);
  if (!guest) co_return failure_of(guest);
  auto folder = check_is_folder(*guest);
  if (!folder) co_return failure_of(std::move(folder));
  auto response =
      co_await send_archive(call_of(call.services, call.request, *guest), std::move(parameters));
  if (!response || call.request.method == http::Method::head) co_return response;
  auto counted = co_await call.services.links.count_download(*guest);
  if (!counted) co_return failure_of(std::move(counted));
  co_return response;
}

Route guest_route(Route route) {
  route.rule = CallerRule::anyone;
  route.errors.insert(route.errors.end(), {404, 502, 504});
  return route;
}

}  // namespace

Task<Result<Call>> admit_guest(Services& services, http::Request& request, catalog::LinkMode mode) {
  const auto guest = co_await guest_of(services, request);
  if (!guest) co_return failure_of(guest);
  auto allowed = check_guest(*guest, mode);
  if (!allowed) co_return failure_of(std::move(allowed));
  co_return call_of(services, request, *guest);
}

std::vector<Route> guest_routes() {
  using http::Method;
  const Route show_link = guest_route({Method::get, "/api/v2/guest/{token}", "showGuestLink",
                                       "Show a share link", "What a guest finds there."});
  Route in = guest_route({Method::post, "/api/v2/guest/{token}/session", "letGuestIn",
                          "Show a share link's password",
                          "Gives a cookie for this link alone. After too many failures the next "
                          "ones have to wait: 429 with Retry-After."});
  in.success = 204;
  in.errors.push_back(429);
  Route list = guest_route({Method::get, "/api/v2/guest/{token}/files", "listGuestFolder",
                            "List a folder of a share link, page by page",
                            "As /api/v2/files, from the shared folder."});
  list.is_conditional = true;
  list.answer_schema = &page_schema;
  Route content = guest_route({Method::get, "/api/v2/guest/{token}/content", "readGuestContent",
                               "Download a file of a share link",
                               "As /api/v2/files/content. Where downloads are counted, each answer "
                               "with content is one, also of a part."});
  content.form = Form::download;
  content.errors.insert(content.errors.end(), {412, 416});
  Route archive = guest_route({Method::get, "/api/v2/guest/{token}/archive", "downloadGuestArchive",
                               "Download items of a share link as one archive",
                               "As /api/v2/archive, from the shared folder; one download."});
  archive.form = Form::archive;
  return {json_route(show_link, &show_guest), json_route(in, &let_guest_in),
          bytes_route(list, &list_for_guest), bytes_route(content, &read_for_guest),
          bytes_route(archive, &send_archive_to_guest)};
}

}  // namespace v2
}  // namespace coffer::api
