#include <gtest/gtest.h>

#include "http/serve_content.h"

namespace coffer::http {
namespace {

TEST(MediaTypes, KnowsCommonExtensionsInAnyCase) {
  EXPECT_EQ(media_type_of("index.html"), "text/html");
  EXPECT_EQ(media_type_of("INDEX.HTML"), "text/html");
  EXPECT_EQ(media_type_of("a.b.Png"), "image/png");
  EXPECT_EQ(media_type_of("a.txt"), "text/plain");
  EXPECT_EQ(media_type_of("a.pdf"), "application/pdf");
  EXPECT_EQ(media_type_of("a.json"), "application/json");
}

TEST(MediaTypes, TakesTheLongestExtensionThatIsKnown) {
  EXPECT_EQ(media_type_of("a.tar.gz"), "application/x-compressed-tar");
  EXPECT_EQ(media_type_of("a.gz"), "application/gzip");
  EXPECT_EQ(media_type_of("a.v1.2.tar.gz"), "application/x-compressed-tar");
  EXPECT_EQ(media_type_of("a.unheard-of.html"), "text/html");
}

TEST(MediaTypes, KnowsImagesThatTheSystemsListLacks) {
  for (const char* name : {"a.jfif", "a.PJPEG", "a.pjp"})
    EXPECT_EQ(media_type_of(name), "image/jpeg");
  EXPECT_EQ(media_type_of("a.hif"), "image/heif");
}

TEST(MediaTypes, CallsTextWhatAPageCouldRun) {
  for (const char* name : {"a.js", "a.mjs", "a.jsm", "a.es", "A.JS", "a.min.js", "a.css"}) {
    EXPECT_EQ(media_type_of(name), "text/plain") << name;
  }
}

TEST(MediaTypes, CallsTheRestBytes) {
  for (const char* name : {"", "README", "a.", "a.unheard-of", ".html", ".", "a.html.unheard-of"}) {
    EXPECT_EQ(media_type_of(name), "application/octet-stream") << name;
  }
  EXPECT_EQ(media_type_of("a." + std::string(300, 'x')), "application/octet-stream");
}

}  // namespace
}  // namespace coffer::http
