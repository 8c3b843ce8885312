#include "web/interface.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "async/run.h"
#include "web/built_files.h"

namespace coffer::web {
namespace {

constexpr std::array<http::StaticFile, 4> kFiles{{
    {"/api-docs.html", "text/html; charset=utf-8", "W/\"4\"", "docs", "", ""},
    {"/assets/main-a1b2.js", "text/javascript", "W/\"1\"", "script", "", ""},
    {"/index.html", "text/html; charset=utf-8", "W/\"2\"", "document", "", ""},
    {"/icon.svg", "image/svg+xml", "W/\"3\"", "icon", "", ""},
}};

struct Asked {
  unsigned status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body = {};

  std::string header(std::string_view name) const {
    for (const auto& [known, value] : headers) {
      if (known == name) return value;
    }
    return {};
  }
};

Asked ask(std::string_view path, std::span<const http::StaticFile> files = kFiles,
          std::string_view base_path = {}) {
  http::Router router;
  add_interface(router, files, base_path);
  auto found = router.find(http::Method::get, path);
  if (const auto* refused = std::get_if<http::Response>(&found)) {
    return {refused->status, refused->headers};
  }
  http::Request request;
  request.method = http::Method::get;
  const http::Response response = run((*std::get<http::Router::Match>(found).handler)(request));
  Asked asked{response.status, response.headers};
  if (const auto* body = std::get_if<http::ContentBody>(&response.body)) {
    asked.body = body->content->bytes().value_or("");
  }
  return asked;
}

TEST(Interface, ShowsItsDocumentAtEveryAddressThatIsNoFileAndNoApi) {
  for (const auto page : {"/", "/sign-in", "/files/", "/files/a/b%2Fc", "/admin/audit",
                          "/s/0123456789", "/index.html", "/no/such/page"}) {
    EXPECT_EQ(ask(page).header("ETag"), "W/\"2\"") << page;
  }
  for (const auto other :
       {"/assets/", "/assets/other.js", "/api", "/api/v1/nothing", "/health/x", "/metrics/x"}) {
    EXPECT_EQ(ask(other).status, 404u) << other;
  }
}

TEST(Interface, ShowsTheDescriptionsOfTheApiUnderThePolicyOfItsPages) {
  for (const auto page : {"/api/docs", "/api/v2/docs"}) {
    EXPECT_EQ(ask(page).header("ETag"), "W/\"4\"") << page;
    EXPECT_EQ(ask(page).header("Content-Security-Policy"),
              ask("/files/a").header("Content-Security-Policy"));
  }
}

TEST(Interface, LetsNothingButItsOwnScriptRunInAPage) {
  const std::string policy = ask("/files/a").header("Content-Security-Policy");
  EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"));
  EXPECT_NE(policy.find("require-trusted-types-for 'script'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(ask("/").header("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(ask("/").header("Cross-Origin-Opener-Policy"), "same-origin");
}

TEST(Interface, LetsClientsKeepWhatHasItsContentInItsName) {
  EXPECT_EQ(ask("/").header("Cache-Control"), "no-cache");
  EXPECT_EQ(ask("/icon.svg").header("Cache-Control"), "no-cache");
  EXPECT_EQ(ask("/assets/main-a1b2.js").header("Cache-Control"),
            "public, max-age=31536000, immutable");
}

TEST(Interface, ChangesTheAddressesInItsPagesBelowABasePath) {
  constexpr std::string_view kText = "<link href=\"/icon.svg\"><script src=\"/assets/a.js\"> = \"/";
  constexpr std::array<http::StaticFile, 2> files{{
      {"/icon.svg", "image/svg+xml", "W/\"3\"", "href=\"/x\"", "", ""},
      {"/index.html", "text/html; charset=utf-8", "W/\"2\"", kText, "packed", "packed"},
  }};
  EXPECT_EQ(ask("/files/", files).body, kText);
  EXPECT_EQ(ask("/files/", files).header("ETag"), "W/\"2\"");
  const Asked below = ask("/files/", files, "/a/b");
  EXPECT_EQ(below.body, "<link href=\"/a/b/icon.svg\"><script src=\"/a/b/assets/a.js\"> = \"/");
  EXPECT_EQ(below.header("ETag"), "W/\"2/a/b\"");
  EXPECT_EQ(ask("/icon.svg", files, "/a/b").body, "href=\"/x\"");
}

TEST(Interface, SaysThatItIsAbsent) {
  for (const auto page : {"/", "/api/docs", "/api/v2/docs"}) {
    EXPECT_EQ(ask(page, {}).header("Content-Type"), "text/plain; charset=utf-8") << page;
  }
  EXPECT_EQ(ask("/files/", {}).status, 404u);
}

TEST(Interface, IsBuiltInWholeOrNotAtAll) {
  http::Router router;
  EXPECT_NO_THROW(add_interface(router, built_files()));
}

}  // namespace
}  // namespace coffer::web
