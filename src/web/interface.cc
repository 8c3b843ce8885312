#include "web/interface.h"

#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace coffer::web {
namespace {

/// The first segments of addresses that are no pages: an unknown one below them is a 404.
constexpr const char* kNoPages[] = {"api", "metrics", "health", "assets", "dav"};

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
    "/api/openapi.json and /api/v2/openapi.json.\n";

/// A page of the interface. Below a base path it is a copy, whose addresses begin with this path.
class Page {
 public:
  Page(const http::StaticFile& file, std::string_view base_path) : file_(file) {
    if (base_path.empty()) return;
    constexpr std::string_view kAddress = "=\"/";  // Of attributes, as the build writes them.
    std::string_view rest = file.identity;
    for (auto at = rest.find(kAddress); at != std::string_view::npos; at = rest.find(kAddress)) {
      text_.append(rest.substr(0, at)).append("=\"").append(base_path).append("/");
      rest.remove_prefix(at + kAddress.size());
    }
    text_.append(rest);
    etag_.append(file.etag.substr(0, file.etag.size() - 1)).append(base_path).append("\"");
    file_.etag = etag_;
    file_.identity = text_;
    file_.gzip = file_.brotli = {};
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  const http::StaticFile& file() const { return file_; }

 private:
  http::StaticFile file_;
  std::string text_;
  std::string etag_;
};

Task<http::Response> serve_page(const http::StaticFile& file, const http::Request& request) {
  http::Response response = http::serve_static_file(request, file);
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

Task<http::Response> say_absent(const http::Request&) {
  http::Response response;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"Cache-Control", "no-cache"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = std::string(kAbsent);
  co_return response;
}

/// The page of the API's descriptions finds by its address which one it shows.
void add_docs(http::Router& router, const http::Handler& handler) {
  router.add(http::Method::get, "/api/docs", handler);
  router.add(http::Method::get, "/api/v2/docs", handler);
}

}  // namespace

void add_interface(http::Router& router, std::span<const http::StaticFile> files,
                   std::string_view base_path) {
  http::Handler document;
  for (const http::StaticFile& file : files) {
    if (file.path.ends_with(".html")) {
      const auto page = std::make_shared<const Page>(file, base_path);
      const auto serve = [page](const http::Request& request) {
        return serve_page(page->file(), request);
      };
      if (file.path == "/index.html") {
        document = serve;
      } else if (file.path == "/api-docs.html") {
        add_docs(router, serve);
      } else {
        router.add(http::Method::get, file.path, serve);
      }
    } else {
      router.add(http::Method::get, file.path,
                 [&file](const http::Request& request) { return serve_part(file, request); });
    }
  }
  if (files.empty()) {
    router.add(http::Method::get, "/", &say_absent);
    add_docs(router, &say_absent);
    return;
  }
  if (!document) throw std::logic_error("the built interface has no document");
  router.set_fallback(document, {std::begin(kNoPages), std::end(kNoPages)});
  router.set_error_page(document);
}

}  // namespace coffer::web
