#include <netinet/in.h>

#include <atomic>
#include <cstring>
#include <map>
#include <string>

#include "backends/ftp/testing/ftp_fixture.h"

namespace coffer::ftp {
namespace {

/// Servers that mislead, and those that refuse.
using FtpRefusalTest = FtpBackendTest;

TEST_F(FtpRefusalTest, AnEndlessListingIsCutOff) {
  std::string many;
  while (many.size() < 1 << 20) many += item("a");
  serve({.features = std::string(kMlst), .listing = many, .endless_listing = true});
  changed_.deadlines.stall = 10s;
  const auto listed = list();
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().message, "The folder's listing is too long.");
}

TEST_F(FtpRefusalTest, NothingHangsOnAnAnswerThatChangesNothing) {
  for (const auto* answer : {"202 Always", "220 UTF8 on", "331 ?", "501 No"}) {
    serve({.features = std::string(kMlst) + " UTF8\r\n",
           .listing = item("file"),
           .replies = {{"OPTS UTF8 ON", answer}}});
    EXPECT_TRUE(list()) << answer;
    EXPECT_EQ(times_received("OPTS UTF8 ON"), 1);
    reopen();
  }
}

/// Each byte is a sign of life.
TEST_F(FtpRefusalTest, AListingThatDripsTimesOut) {
  serve({.features = std::string(kMlst), .listing = "t", .endless_listing = true});
  changed_.deadlines.stall = 10s;
  changed_.deadlines.listing = {.grace = 1ms, .bytes_per_s = UINT32_MAX};
  const auto listed = list();
  EXPECT_EQ(code_of(listed), ErrorCode::timed_out);
  EXPECT_EQ(listed.error().message, "The FTP server sends a listing too slowly.");
}

/// Each line is one too.
TEST_F(FtpRefusalTest, AReplyThatDripsTimesOut) {
  serve({.dripping_reply = true});
  changed_.deadlines.reply = 100ms;
  EXPECT_EQ(code_of(list()), ErrorCode::timed_out);
}

TEST_F(FtpRefusalTest, AnEndlessReplyIsCutOff) {
  serve({.endless_reply = true});
  const auto listed = list();
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().message, "The FTP server's answer is too long.");
}

TEST_F(FtpRefusalTest, HostileNamesAreNotListed) {
  serve({.features = std::string(kMlst),
         .listing = item("..") + item("../x") + item("a/b") + item("..\\x") + item("\xff") +
                    item(std::string(4096, 'x')) + item("fine")});
  const auto listed = list();
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->size(), 1U);
  EXPECT_EQ(listed->front().name, "fine");
}

TEST_F(FtpRefusalTest, AListingWithoutFactsIsListedAgain) {
  serve({.features = std::string(kMlst),
         .listing = "-rw-r--r-- 1 a b 4 Jan 2 2020 file\r\n",
         .mlsd_listing = "modify=20200102030405; file\r\n"});
  const auto listed = list();
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->size(), 1U);
  EXPECT_EQ(listed->front().size_bytes, 4U);
  EXPECT_TRUE(list());
  EXPECT_EQ(times_received("MLSD /"), 1);
}

TEST_F(FtpRefusalTest, AFileWithoutFactsIsNoFolder) {
  serve({.features = std::string(kMlst),
         .content = "content",
         .replies = {{"MLST /file", "250-\r\n modify=20200102030405; /file\r\n250 End"}}});
  EXPECT_EQ(read_file(), "content");
}

TEST_F(FtpRefusalTest, AServerWithoutSizesServesItsFiles) {
  serve({.listing = "-rw-r--r-- 1 a b 7 Jan 2 2020 file\r\n",
         .content = "content",
         .replies = {{"SIZE", "502 No"}}});
  EXPECT_EQ(read_file(), "content");
  const Path missing = Path::parse("missing").value();
  EXPECT_EQ(code_of(run(backend().stat(missing))), ErrorCode::not_found);
}

TEST_F(FtpRefusalTest, AMissingPathOnItCostsNoMoreThanItIsDeep) {
  serve({.listing = "-rw-r--r-- 1 a b 7 Jan 2 2020 file\r\n", .replies = {{"SIZE", "502 No"}}});
  std::string deep = "a";
  for (int i = 0; i < 15; ++i) deep += "/a";
  const Path missing = Path::parse(deep).value();
  EXPECT_EQ(code_of(run(backend().stat(missing))), ErrorCode::not_found);
  EXPECT_LT(server().received().size(), 300U);
  const Path below_file = Path::parse("file/a").value();
  EXPECT_EQ(code_of(run(backend().stat(below_file))), ErrorCode::not_found);
}

TEST_F(FtpRefusalTest, WhatCannotBeShownIsCounted) {
  serve({.listing = "-rw-r--r-- 1 a b 7 Jan 2 2020 file\r\n"
                    "-rw-r--r-- 1 a b 7 Jan 2 2020 caf\xe9\r\n"
                    "lrwxrwxrwx 1 a b 7 Jan 2 2020 link -> file\r\n"
                    "a line of another form\r\n"});
  const Path root;
  const auto listing = run(backend().read_folder(root)).value();
  EXPECT_EQ(listing.entries.size(), 1U);
  EXPECT_EQ(listing.left_out, 3U);
  EXPECT_FALSE(listing.is_whole());
}

/// It would be replaced.
TEST_F(FtpRefusalTest, ANameInALineThatIsNotUnderstoodIsNotFree) {
  serve({.listing = "-rw-r--r-- 1 a b 7 Jan 2 2020 from\r\n"
                    "a line of another form: taken\r\n",
         .replies = {{"SIZE /taken", "550 Zugriff verweigert"},
                     {"CWD /taken", "550 Zugriff verweigert"}}});
  const Path from = Path::parse("from").value();
  const Path taken = Path::parse("taken").value();
  EXPECT_EQ(code_of(run(backend().rename(from, taken))), ErrorCode::refused);
  EXPECT_EQ(times_received("RNFR /from"), 0);
}

/// An I/O thread would wait for the server.
TEST_F(FtpRefusalTest, ReadingWithoutWaitingDoesNotMeetTheEnd) {
  constexpr std::size_t kCut = 4'000'000;
  const std::string whole = content(8'000'000);
  serve({.content = whole, .cut_after = kCut, .withholds_the_end = true});
  const Path file = Path::parse("file").value();
  const auto reader = run(backend().open(file)).value();
  std::vector<std::byte> buffer(1000);
  for (std::size_t at = 0; at < kCut;) {
    const auto out = std::span(buffer).first(std::min(buffer.size(), kCut - at));
    const auto at_once = reader->read_now(at, out);
    at += at_once ? *at_once : run(reader->read(at, out)).value();
  }
  EXPECT_FALSE(reader->read_now(kCut, buffer));
  server().set([](Behaviour& behaviour) {
    behaviour.withholds_the_end = false;
    behaviour.cut_after = SIZE_MAX;
  });
  ASSERT_EQ(run(reader->read(kCut, buffer)), buffer.size());
  EXPECT_EQ(std::memcmp(buffer.data(), whole.data() + kCut, buffer.size()), 0);
}

/// How servers refuse to show a file that is there.
TEST_F(FtpRefusalTest, ANameIsNotFreeBecauseTheServerRefusesToLook) {
  const Path from = Path::parse("from").value();
  const Path taken = Path::parse("file").value();
  for (const auto* refusal : {"450 Busy", "451 Local error", "550 Zugriff verweigert", "553 ?"}) {
    serve({.features = std::string(kMlst),
           .listing = item("file"),
           .replies = {{"MLST /from", "250-\r\n type=file;size=1; /from\r\n250 End"},
                       {"MLST /file", refusal}}});
    const bool passing = std::string_view(refusal).starts_with('4');
    const auto expected = passing ? ErrorCode::refused : ErrorCode::exists;
    EXPECT_EQ(code_of(run(backend().rename(from, taken))), expected) << refusal;
    EXPECT_EQ(code_of(run(backend().make_folder(taken))), expected) << refusal;
    EXPECT_EQ(times_received("RNFR /from"), 0);
    reopen();
  }
}

/// What asks by its own name, or removes it, would take it for gone.
TEST_F(FtpRefusalTest, AnItemIsNotGoneBecauseTheServerRefusesToLook) {
  const Path file = Path::parse("folder/file").value();
  const std::map<std::string, std::string> refusals = {{"SIZE", "550 Zugriff verweigert"},
                                                       {"CWD /folder", "550 Zugriff verweigert"}};
  serve({.listing = "drwx------ 1 a b 1 Jan 2 2020 folder\r\n", .replies = refusals});
  EXPECT_EQ(code_of(run(backend().rename(file, file))), ErrorCode::refused);
  EXPECT_EQ(code_of(run(backend().remove(file))), ErrorCode::refused);
}

/// pure-ftpd says the same of what is missing, and of what is in a folder that may not be entered.
TEST_F(FtpRefusalTest, AnItemIsGoneThatCannotBeLookedForInAnOpenFolder) {
  const Path file = Path::parse("folder/file").value();
  for (const auto* inside : {"550 Can't check for file existence", "250 Gut"}) {
    serve({.features = std::string(kMlst),
           .replies = {{"MLST /folder/file", "550 Can't check for file existence"},
                       {"MLST /folder/.", inside},
                       {"MLST /folder", "250-\r\n type=dir;size=1; /folder\r\n250 End"},
                       {"MLSD /folder", "550 Can't check for file existence"},
                       {"CWD /folder", "550 Permission denied"}}});
    const bool is_open = std::string_view(inside).starts_with('2');
    const auto expected = is_open ? ErrorCode::not_found : ErrorCode::refused;
    EXPECT_EQ(code_of(run(backend().rename(file, file))), expected);
    EXPECT_EQ(code_of(run(backend().remove(file))), expected);
    reopen();
  }
}

TEST_F(FtpRefusalTest, AnItemIsGoneThatNoListingHas) {
  const Path file = Path::parse("file").value();
  serve({.listing = "-rw-r--r-- 1 a b 1 Jan 2 2020 other\r\n",
         .replies = {{"SIZE", "550 ?"}, {"CWD /file", "550 ?"}}});
  EXPECT_EQ(code_of(run(backend().rename(file, file))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().remove(file))), ErrorCode::not_found);
}

/// As one that its move has cut off from its target.
TEST_F(FtpRefusalTest, ALinkThatLeadsNowhereHasItsNameAndCanBeRemoved) {
  const Path link = Path::parse("link").value();
  serve({.listing = "lrwxrwxrwx 1 a b 4 Jan 2 2020 link -> gone\r\n",
         .replies = {{"SIZE", "550 ?"}, {"CWD /link", "550 ?"}, {"DELE /link", "250 Gut"}}});
  EXPECT_TRUE(run(backend().rename(link, link)));
  EXPECT_TRUE(run(backend().remove(link)));
}

TEST_F(FtpRefusalTest, AFileIsNotReplacedBecauseTheServerRefusesToLook) {
  const Path file = Path::parse("file").value();
  for (const auto* refusal : {"450 Besetzt", "550 Zugriff verweigert"}) {
    serve({.listing = "-rw-r--r-- 1 a b 1 Jan 2 2020 file\r\n",
           .content = "x",
           .replies = {{"SIZE /file", refusal},
                       {"CWD /file", "550 Das ist kein Ordner"},
                       {"RNFR", "350 Wohin?"},
                       {"RNTO", "250 Gut"}}});
    auto writer = run(backend().create(file, {.if_taken = storage::IfTaken::refuse})).value();
    ASSERT_TRUE(run(writer->write(std::as_bytes(std::span("x", 1)))));
    const auto published = run(backend().publish(std::span(&writer, 1), UINT64_MAX));
    const bool passing = std::string_view(refusal).starts_with('4');
    EXPECT_EQ(code_of(published), passing ? ErrorCode::refused : ErrorCode::exists);
    EXPECT_EQ(times_received("RNTO /file"), 0);
    writer.reset();
    reopen();
  }
}

/// Without MLST nothing says for sure that a name is free, but the listing.
TEST_F(FtpRefusalTest, ANameThatNoListingHasIsFree) {
  serve({.listing = "-rw-r--r-- 1 a b 1 Jan 2 2020 other\r\n",
         .replies = {{"SIZE", "550 Nicht da"},
                     {"SIZE /from", "213 1"},
                     {"CWD /file", "550 Das ist kein Ordner"},
                     {"RNFR", "350 Wohin?"},
                     {"RNTO", "250 Gut"}}});
  const Path from = Path::parse("from").value();
  const Path to = Path::parse("file").value();
  EXPECT_TRUE(run(backend().rename(from, to)));
}

/// A server whose disk is full closes the data connection first, and is heard no more then.
TEST_F(FtpRefusalTest, AnUploadThatTheServerEndsIsRefused) {
  serve({.cut_after = 100'000});
  const Path file = Path::parse("file").value();
  const auto writer = run(backend().create(file, {})).value();
  const std::vector<std::byte> block(4'000'000);
  Result<void> wrote;
  for (int i = 0; i < 10 && wrote; ++i) wrote = run(writer->write(block));
  EXPECT_EQ(code_of(wrote), ErrorCode::refused);
  EXPECT_EQ(server().logins(), 2);
}

/// Every folder has two more.
TEST_F(FtpRefusalTest, ATreeWithoutEndIsGivenUp) {
  const std::string folder = "type=dir;modify=20200102030405; ";
  serve({.features = std::string(kMlst),
         .listing = folder + "a\r\n" + folder + "b\r\n",
         .replies = {{"MLST", "250-\r\n type=dir; x\r\n250 End"},
                     {"MKD", "257 Made"},
                     {"DELE", "550 A folder"},
                     {"RNFR", "350 Whereto?"},
                     {"RNTO", "250 Done"}}});
  const Path from = Path::parse("from").value();
  constexpr std::size_t kMany = 1'000'000;
  const storage::WalkLimits limits[] = {
      {.folders = 9, .items = kMany, .name_bytes = kMany, .depth = kMany},
      {.folders = kMany, .items = 20, .name_bytes = kMany, .depth = kMany},
      {.folders = kMany, .items = kMany, .name_bytes = 20, .depth = kMany},
      {.folders = kMany, .items = kMany, .name_bytes = kMany, .depth = 9},
  };
  for (const auto& limit : limits) {
    changed_.walk = limit;
    reopen();
    EXPECT_EQ(code_of(run(backend().measure(from))), ErrorCode::refused);
    EXPECT_EQ(code_of(run(backend().remove(from))), ErrorCode::refused);
  }
}

TEST_F(FtpRefusalTest, AnAddressThatMayNotBeReachedIsNot) {
  serve({});
  changed_.may_connect = [](const sockaddr&) { return false; };
  const auto listed = list();
  EXPECT_EQ(code_of(listed), ErrorCode::unavailable);
  EXPECT_EQ(listed.error().message, "Connections to the FTP server's address are not allowed.");
  EXPECT_TRUE(server().received().empty());
}

TEST_F(FtpRefusalTest, DataComesFromTheServerWhateverAddressItNames) {
  serve({.features = std::string(kMlst), .listing = item("a"), .data_address = "192,0,2,1"});
  std::atomic<int> elsewhere = 0;
  changed_.may_connect = [&](const sockaddr& address) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    if (four.sin_addr.s_addr != htonl(INADDR_LOOPBACK)) ++elsewhere;
    return true;
  };
  EXPECT_TRUE(list());
  EXPECT_EQ(elsewhere, 0);
}

}  // namespace
}  // namespace coffer::ftp
