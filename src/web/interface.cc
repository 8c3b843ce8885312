#include "web/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace coffer::web {
namespace {

/// The addresses of pages, as `web/src/routes.tsx` has them.
constexpr std::string_view kPages[] = {
    "/",
    "/set-up",
    "/sign-in",
    "/files",
    "/files/{path*}",
    "/search",
    "/bin",
    "/links",
    "/share",
    "/settings",
    "/settings/{page*}",
    "/admin",
    "/admin/{page*}",
    "/s/{link*}",
};

/// The pages that show the list of files at once.
constexpr std::string_view kListPages[] = {"/", "/files", "/files/{path*}"};

/// What that list is made of, as `web/script/first-load.mjs` names it.
constexpr std::string_view kListParts[] = {"/assets/controls-", "/assets/files-"};

/// No script but the interface's own, nothing from elsewhere, and no text that becomes script.
/// Pictures and media may be made in the page (`blob:`, for previews), and a preview's frame, which
/// is sandboxed, may show such a text too.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; frame-src 'self' blob:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types coffer default";

constexpr std::string_view kAbsent =
    "This server was built without its web interface (COFFER_WEB=OFF). The API is described at "
    "/api/docs and /api/v2/docs.\n";

/// Who is signed in, which the list's pages ask first of all.
constexpr std::string_view kSession = "</api/v2/session>; rel=preload; as=fetch; crossorigin";

/// Scripts stand back behind the styles, with which the document draws its mark.
constexpr std::string_view kScript = ", <{}>; rel=modulepreload; fetchpriority=low";
constexpr std::string_view kStyle = ", <{}>; rel=preload; as=style; crossorigin";

/// The field (RFC 8288) by which a browser loads them beside the first part, and not behind it.
std::string preloads_of(std::span<const http::StaticFile> files) {
  std::string all(kSession);
  for (const http::StaticFile& file : files) {
    const auto is_of = [&](std::string_view part) { return file.path.starts_with(part); };
    if (std::ranges::none_of(kListParts, is_of)) continue;
    if (file.path.ends_with(".js")) all += fmt::format(kScript, file.path);
    if (file.path.ends_with(".css")) all += fmt::format(kStyle, file.path);
  }
  return all;
}

Task<http::Response> serve_page(const http::StaticFile& file, std::string_view preloads,
                                const http::Request& request) {
  http::Response response = http::serve_static_file(request, file);
  if (!preloads.empty()) response.headers.emplace_back("Link", preloads);
  response.headers.emplace_back("Cache-Control", "no-cache");
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  co_return response;
}

Task<http::Response> serve_part(const http::StaticFile& file, const http::Request& request) {
  const bool is_kept = file.path.starts_with("/assets/");
  http::Response response = http::serve_static_file(request, file);
  response.headers.emplace_back("Cache-Control",
                                is_kept ? "public, max-age=31536000, immutable" : "no-cache");
  // A worker is held to its own answer's policy, not to the page's.
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  co_return response;
}

Task<http::Response> say_absent() {
  http::Response response;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"Cache-Control", "no-cache"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = std::string(kAbsent);
  co_return response;
}

}  // namespace

void add_interface(http::Router& router, std::span<const http::StaticFile> files) {
  router.set_secret_prefix("/s/");
  const http::StaticFile* document = nullptr;
  for (const http::StaticFile& file : files) {
    if (file.path == "/index.html") {
      document = &file;
      continue;
    }
    router.add(http::Method::get, file.path,
               [&file](const http::Request& request) { return serve_part(file, request); });
  }
  if (files.empty()) {
    router.add(http::Method::get, "/", [](const http::Request&) { return say_absent(); });
    return;
  }
  if (!document) throw std::logic_error("the built interface has no document");
  const std::string list_parts = preloads_of(files);
  for (const std::string_view page : kPages) {
    const bool is_list = std::ranges::find(kListPages, page) != std::end(kListPages);
    router.add(http::Method::get, page,
               [document, link = is_list ? list_parts : std::string()](
                   const http::Request& request) { return serve_page(*document, link, request); });
  }
}

}  // namespace coffer::web
