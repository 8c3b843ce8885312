#include "api/dav/lock_words.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace coffer::api::dav {
namespace {

Result<core::ItemLocks::Wanted> read(std::string_view text) {
  XmlParser parser({.bytes = 64 * 1024});
  TRY_VOID(parser.add(text));
  TRY(const auto root, parser.finish());
  return read_lock_info(root);
}

http::Request with(std::string_view name, std::string_view value) {
  http::Request request;
  request.headers.push_back({name, value});
  return request;
}

TEST(LockWords, ReadsWhatIsWanted) {
  const auto wanted = read(
      "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/>"
      "</D:locktype><D:owner><D:href>ada</D:href></D:owner></D:lockinfo>");
  ASSERT_TRUE(wanted);
  EXPECT_FALSE(wanted->is_shared);
  EXPECT_EQ(wanted->owner, "<owner xmlns=\"DAV:\"><href>ada</href></owner>");
  const auto shared = read(
      "<lockinfo xmlns=\"DAV:\"><lockscope><shared/></lockscope><locktype><write/></locktype>"
      "</lockinfo>");
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->is_shared);
  EXPECT_EQ(shared->owner, "");
}

TEST(LockWords, RefusesWhatIsNoWriteLock) {
  for (const char* text :
       {"<lockinfo xmlns=\"DAV:\"/>", "<propfind xmlns=\"DAV:\"/>",
        "<lockinfo><lockscope><shared/></lockscope><locktype><write/></locktype></lockinfo>",
        "<lockinfo xmlns=\"DAV:\"><lockscope/><locktype><write/></locktype></lockinfo>",
        "<lockinfo xmlns=\"DAV:\"><lockscope><shared/></lockscope><locktype/></lockinfo>"}) {
    EXPECT_FALSE(read(text)) << text;
  }
}

TEST(LockWords, TakesTheFirstTimeThatItUnderstands) {
  const auto seconds = [](std::string_view text) {
    return timeout_of(with("Timeout", text)).count();
  };
  EXPECT_EQ(seconds("Second-120"), 120);
  EXPECT_EQ(seconds("Infinite, Second-4100000000"), 3600);
  EXPECT_EQ(seconds("Second-4100000000"), 3600);
  EXPECT_EQ(seconds("Extend, second-99"), 99);
  EXPECT_EQ(seconds("Second-"), 600);
  EXPECT_EQ(seconds("nonsense"), 600);
  EXPECT_EQ(timeout_of(http::Request()).count(), 600);
}

TEST(LockWords, ReadsTheTokenToEnd) {
  EXPECT_EQ(lock_token_of(with("Lock-Token", "<urn:uuid:1>")).value(), "urn:uuid:1");
  for (const char* text : {"", "<>", "urn:uuid:1", "<urn:uuid:1", "(<urn:uuid:1>)"}) {
    EXPECT_FALSE(lock_token_of(with("Lock-Token", text))) << text;
  }
}

TEST(LockWords, TellsALock) {
  catalog::FileLock lock;
  lock.token = "urn:uuid:1";
  lock.is_deep = true;
  lock.owner = "<owner xmlns=\"DAV:\">ada</owner>";
  lock.expires_at = now() + std::chrono::hours(2);
  std::string text;
  append_locks(text, {{lock, "/dav/a%26b/"}});
  for (const char* part :
       {"<D:exclusive/>", "<D:depth>infinity</D:depth>", "<D:href>urn:uuid:1</D:href>",
        "<D:lockroot><D:href>/dav/a%26b/</D:href></D:lockroot>", "<D:timeout>Second-"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(LockWords, FindsTheLockedFolderAbove) {
  EXPECT_EQ(root_href_of("", "a/b/c", false, 0), "/dav/a/b/c");
  EXPECT_EQ(root_href_of("", "a/b/c", true, 0), "/dav/a/b/c/");
  EXPECT_EQ(root_href_of("/x", "a/b/c", false, 1), "/x/dav/a/b/");
  EXPECT_EQ(root_href_of("", "a/b/c", false, 3), "/dav/");
  EXPECT_EQ(root_href_of("", "a", false, 9), "/dav/");
}

}  // namespace
}  // namespace coffer::api::dav
