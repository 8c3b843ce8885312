#include "http/router.h"

#include <gtest/gtest.h>

#include "async/run.h"

namespace coffer::http {
namespace {

Task<Response> answer(std::string text) {
  Response response;
  response.body = std::move(text);
  co_return response;
}

Handler answering(std::string text) {
  return [text](Request&) { return answer(text); };
}

Router make_router() {
  Router router;
  router.add(Method::get, "/files", answering("list"));
  router.add(Method::del, "/files", answering("delete"));
  router.add(Method::get, "/folder/", answering("folder"));
  router.add(Method::post, "/upload", answering("upload"));
  router.add(Method::del, "/keys/{id}", answering("revoke"));
  router.add(Method::get, "/keys/{id}", answering("key"));
  router.add(Method::get, "/keys/new", answering("new"));
  router.add(Method::get, "/a/{x}/b/{y}", answering("two"));
  router.add(Method::get, "/slash/{x}/", answering("slash"));
  router.add(Method::get, "/pages/about", answering("about"));
  router.add(Method::get, "/pages/{rest*}", answering("page"));
  return router;
}

/// What the handler found answers and the captures, or the status of the router's own response.
std::string find(Method method, std::string_view path) {
  const Router router = make_router();
  const auto found = router.find(method, path);
  if (const auto* response = std::get_if<Response>(&found)) {
    std::string text = std::to_string(response->status);
    for (const auto& [name, value] : response->headers) {
      if (name == "Allow") text.append(" ").append(value);
    }
    return text;
  }
  const auto& match = std::get<Router::Match>(found);
  Request request;
  std::string text = std::get<std::string>(run((*match.handler)(request)).body);
  for (const auto capture : match.captures) text.append(" ").append(capture);
  return text;
}

TEST(Router, FindsByMethodAndPath) {
  EXPECT_EQ(find(Method::get, "/files"), "list");
  EXPECT_EQ(find(Method::del, "/files"), "delete");
  EXPECT_EQ(find(Method::post, "/upload"), "upload");
}

TEST(Router, CapturesAllThatIsLeft) {
  EXPECT_EQ(find(Method::get, "/pages/a"), "page a");
  EXPECT_EQ(find(Method::get, "/pages/a/b%2Fc/"), "page a/b%2Fc/");
  EXPECT_EQ(find(Method::get, "/pages/"), "page ");
  EXPECT_EQ(find(Method::get, "/pages/about"), "about");
  EXPECT_EQ(find(Method::get, "/pages"), "404");
  EXPECT_EQ(find(Method::get, "/pagesa"), "404");
}

TEST(Router, CapturesWholeSegments) {
  EXPECT_EQ(find(Method::del, "/keys/42"), "revoke 42");
  EXPECT_EQ(find(Method::get, "/keys/a%2Fb"), "key a%2Fb");
  EXPECT_EQ(find(Method::get, "/a/1/b/2"), "two 1 2");
  EXPECT_EQ(find(Method::get, "/keys/{}"), "key {}");
}

TEST(Router, PrefersALiteralPath) {
  EXPECT_EQ(find(Method::get, "/keys/new"), "new");
}

TEST(Router, RefusesPathsNobodyNamed) {
  for (const char* path :
       {"", "/", "/file", "/filess", "/Files", "files", "/files?x", "//files", "/keys", "/keys/",
        "/keys//", "/keys/1/2", "/keys/1/", "/a//b/2", "/a/1/c/2", "/a/1/b", "/a/1/b/"}) {
    EXPECT_EQ(find(Method::get, path), "404") << path;
  }
}

TEST(Router, TakesATrailingSlashForAnotherPath) {
  EXPECT_EQ(find(Method::get, "/files/"), "404");
  EXPECT_EQ(find(Method::get, "/folder/"), "folder");
  EXPECT_EQ(find(Method::get, "/folder"), "404");
  EXPECT_EQ(find(Method::get, "/slash/1/"), "slash 1");
  EXPECT_EQ(find(Method::get, "/slash/1"), "404");
  EXPECT_EQ(find(Method::get, "/slash/1//"), "404");
}

TEST(Router, ServesHeadWhereverGet) {
  EXPECT_EQ(find(Method::head, "/files"), "list");
  EXPECT_EQ(find(Method::head, "/keys/1"), "key 1");
  EXPECT_EQ(find(Method::head, "/upload"), "405 POST, OPTIONS");
}

TEST(Router, NamesTheMethodsOfAPath) {
  EXPECT_EQ(find(Method::put, "/files"), "405 GET, HEAD, DELETE, OPTIONS");
  EXPECT_EQ(find(Method::other, "/keys/1"), "405 DELETE, GET, HEAD, OPTIONS");
  EXPECT_EQ(find(Method::options, "/files"), "204 GET, HEAD, DELETE, OPTIONS");
  EXPECT_EQ(find(Method::options, "*"), "204 GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  EXPECT_EQ(find(Method::options, "/nowhere"), "404");
}

TEST(Router, AnswersPathsWithoutARouteByTheFallback) {
  Router router;
  router.add(Method::post, "/upload", answering("upload"));
  router.set_fallback(answering("page"), {"api"});
  const auto found = [&](Method method, std::string_view path) {
    auto match = router.find(method, path);
    const auto* refused = std::get_if<Response>(&match);
    return refused ? static_cast<int>(refused->status) : 0;
  };
  EXPECT_EQ(found(Method::get, "/"), 0);
  EXPECT_EQ(found(Method::head, "/any/where"), 0);
  EXPECT_EQ(found(Method::get, "/apis"), 0);
  EXPECT_EQ(found(Method::get, "/api"), 404);
  EXPECT_EQ(found(Method::get, "/api/v1/none"), 404);
  EXPECT_EQ(found(Method::post, "/any"), 404);
  EXPECT_EQ(found(Method::get, "/upload"), 405);
  router.add(Method::propfind, "/", answering("properties"));
  EXPECT_EQ(found(Method::get, "/"), 0);
  EXPECT_EQ(found(Method::propfind, "/"), 0);
  EXPECT_EQ(found(Method::post, "/"), 405);
}

TEST(Router, RefusesAPatternWithoutALeadingSlash) {
  Router router;
  EXPECT_THROW(router.add(Method::get, "files", answering("")), std::logic_error);
  EXPECT_THROW(router.add(Method::get, "", answering("")), std::logic_error);
}

constexpr std::string_view kToken = "0123456789abcdef0123456789abcdef";

TEST(RouterSecrets, OfARouteWithASecretItsPatternIsLogged) {
  Router router;
  router.keep_secret("token");
  for (const std::string pattern : {"/guest/{token}/files", "/guest/{token}", "/s/{token*}"}) {
    EXPECT_EQ(router.loggable(pattern, "/guest/a", "path=b"), pattern);
  }
}

TEST(RouterSecrets, OfAnotherRouteAllIsLogged) {
  Router router;
  router.keep_secret("token");
  const std::string path = "/items/" + std::string(kToken);
  EXPECT_EQ(router.loggable("/items/{id}", path, "path=b"), path + "?path=b");
  EXPECT_EQ(router.loggable("/items", "/items", ""), "/items");
}

TEST(RouterSecrets, ASecretQueryIsNotLogged) {
  Router router;
  router.keep_query_secret("/callback");
  EXPECT_EQ(router.loggable("/callback", "/callback", "code=1&state=2"), "/callback?…");
  EXPECT_EQ(router.loggable("/callback", "/callback", ""), "/callback");
  EXPECT_EQ(router.loggable("/other", "/other", "code=1"), "/other?code=1");
}

TEST(RouterSecrets, WhatAnAddressWithoutARouteMayHoldIsNotLogged) {
  const Router router;
  const std::string token(kToken);
  for (const std::string_view pattern : {"", "/{page*}"}) {
    EXPECT_EQ(router.loggable(pattern, "/S/" + token, ""), "/S/…");
    EXPECT_EQ(router.loggable(pattern, "//s/" + token + "/a.txt", "code=1"), "//s/…/a.txt?…");
    EXPECT_EQ(router.loggable(pattern, "/s/%30" + token.substr(0, 13), ""), "/s/…");
    EXPECT_EQ(router.loggable(pattern, "/" + token + token, ""), "/…");
    EXPECT_EQ(router.loggable(pattern, "/wp-login.php", ""), "/wp-login.php");
    EXPECT_EQ(router.loggable(pattern, "*", ""), "*");
    EXPECT_EQ(router.loggable(pattern, "", ""), "");
  }
}

}  // namespace
}  // namespace coffer::http
