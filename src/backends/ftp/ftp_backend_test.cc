#include "backends/ftp/ftp_backend.h"

#include <gtest/gtest.h>
#include <netinet/in.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <future>
#include <thread>

#include "async/run.h"
#include "backends/ftp/fake_server.h"

namespace coffer::ftp {
namespace {

using namespace std::chrono_literals;
using Behaviour = FakeServer::Behaviour;

constexpr std::string_view kMlst = " MLST type*;size*;modify*;\r\n";

/// A backend on a server that behaves as the test says, with deadlines that a test can wait for.
class FtpBackendTest : public testing::Test {
 protected:
  void serve(Behaviour behaviour) { server_.emplace(std::move(behaviour)); }
  FakeServer& server() { return *server_; }

  FtpBackend& backend() {
    if (!backend_) backend_ = FtpBackend::open(options(), pool_).value();
    return *backend_;
  }
  void reopen() { backend_.reset(); }
  FtpOptions options() {
    FtpOptions options = changed_;
    options.host = "127.0.0.1";
    if (server_) options.port = server_->port();
    return options;
  }

  Result<std::vector<storage::Entry>> list() {
    const Path root;
    return run(backend().list(root));
  }
  Result<std::string> read_file() {
    const Path file = Path::parse("file").value();
    auto reader = run(backend().open(file));
    if (!reader) return failure_of(reader);
    std::string content;
    std::vector<std::byte> buffer(1000);
    for (;;) {
      const auto count = run((*reader)->read(content.size(), buffer));
      if (!count) return failure_of(count);
      if (*count == 0) return content;
      content.append(reinterpret_cast<const char*>(buffer.data()), *count);
    }
  }
  std::ptrdiff_t times_received(std::string_view line) {
    return std::ranges::count(server().received(), line);
  }

  FtpOptions changed_{
      .deadlines = {.connect = 500ms, .login = 500ms, .reply = 500ms, .stall = 500ms}};

 private:
  std::optional<FakeServer> server_;
  Pool pool_{2};
  std::unique_ptr<FtpBackend> backend_;
};

template <class T>
ErrorCode code_of(const Result<T>& result) {
  return result ? ErrorCode::invalid : result.error().code;
}

std::string content(std::size_t size) {
  std::string text;
  while (text.size() < size) text += std::to_string(text.size()) + ' ';
  text.resize(size);
  return text;
}

std::string item(std::string_view name) {
  return "type=file;size=1;modify=20200102030405; " + std::string(name) + "\r\n";
}

TEST_F(FtpBackendTest, OpeningDoesNotLookForTheServer) {
  changed_.host = "nowhere.invalid";
  Pool pool(1);
  EXPECT_TRUE(FtpBackend::open(changed_, pool));
}

TEST_F(FtpBackendTest, OptionsThatWouldEndACommandAreRefused) {
  Pool pool(1);
  const auto refused = [&](const auto& change) {
    FtpOptions options{.host = "localhost"};
    change(options);
    return !FtpBackend::open(options, pool);
  };
  EXPECT_TRUE(refused([](auto& options) { options.user = "a\r\nDELE x"; }));
  EXPECT_TRUE(refused([](auto& options) { options.password = "a\nb"; }));
  EXPECT_TRUE(refused([](auto& options) { options.root = "/a/../b"; }));
  EXPECT_TRUE(refused([](auto& options) { options.root = "/a\r\n"; }));
  EXPECT_TRUE(refused([](auto& options) { options.host = "a/b"; }));
  EXPECT_TRUE(refused([](auto& options) { options.host = "user@host"; }));
  EXPECT_TRUE(refused([](auto& options) { options.host.clear(); }));
  EXPECT_FALSE(refused([](auto&) {}));
}

TEST_F(FtpBackendTest, AServerThatIsDownIsUnavailable) {
  {
    const FakeServer gone({});
    changed_.port = gone.port();
  }
  EXPECT_EQ(code_of(list()), ErrorCode::unavailable);
}

TEST_F(FtpBackendTest, AServerThatClosesAtOnceIsUnavailable) {
  serve({.closes_at_connect = true});
  EXPECT_EQ(code_of(list()), ErrorCode::unavailable);
}

TEST_F(FtpBackendTest, AServerThatSaysNothingTimesOut) {
  serve({.says_nothing = true});
  EXPECT_EQ(code_of(list()), ErrorCode::timed_out);
}

TEST_F(FtpBackendTest, ALoginThatStallsTimesOut) {
  serve({.stalls_at_login = true});
  EXPECT_EQ(code_of(list()), ErrorCode::timed_out);
}

TEST_F(FtpBackendTest, ACommandThatStallsTimesOut) {
  serve({.stalls_in_commands = true});
  EXPECT_EQ(code_of(list()), ErrorCode::timed_out);
}

TEST_F(FtpBackendTest, ARefusedLoginIsUnavailableAndNamesNoPassword) {
  serve({.refuses_login = true});
  changed_.password = "very-secret";
  const auto listed = list();
  EXPECT_EQ(code_of(listed), ErrorCode::unavailable);
  EXPECT_EQ(listed.error().message, "The FTP server refused the login.");
}

TEST_F(FtpBackendTest, AServerWithoutTlsIsNotSentThePassword) {
  serve({});
  changed_.tls = Tls::explicit_tls;
  changed_.password = "very-secret";
  EXPECT_EQ(code_of(list()), ErrorCode::unavailable);
  EXPECT_EQ(times_received("PASS very-secret"), 0);
}

TEST_F(FtpBackendTest, ACutListingIsUnavailable) {
  serve({.features = std::string(kMlst), .listing = item("a") + item("b"), .cut_after = 50});
  EXPECT_EQ(code_of(list()), ErrorCode::unavailable);
}

TEST_F(FtpBackendTest, AListingThatStallsTimesOut) {
  serve({.stalls_in_data = true, .features = std::string(kMlst), .listing = item("a")});
  EXPECT_EQ(code_of(list()), ErrorCode::timed_out);
}

TEST_F(FtpBackendTest, AnEndlessListingIsCutOff) {
  std::string many;
  while (many.size() < 1 << 20) many += item("a");
  serve({.features = std::string(kMlst), .listing = many, .endless_listing = true});
  changed_.deadlines.stall = 10s;
  const auto listed = list();
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().message, "The folder's listing is too long.");
  EXPECT_EQ(listed.error().code, ErrorCode::refused);
}

TEST_F(FtpBackendTest, AnEndlessReplyIsCutOff) {
  serve({.endless_reply = true});
  const auto listed = list();
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().message, "The FTP server's answer is too long.");
}

TEST_F(FtpBackendTest, HostileNamesAreNotListed) {
  serve({.features = std::string(kMlst),
         .listing = item("..") + item("../x") + item("a/b") + item("..\\x") + item("\xff") +
                    item(std::string(4096, 'x')) + item("fine")});
  const auto listed = list();
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->size(), 1U);
  EXPECT_EQ(listed->front().name, "fine");
}

TEST_F(FtpBackendTest, ACutTransferGoesOnWhereItStopped) {
  serve({.content = content(100'000), .cut_after = 60'000});
  EXPECT_EQ(read_file(), content(100'000));
  EXPECT_EQ(times_received("REST 60000"), 1);
}

TEST_F(FtpBackendTest, ATransferThatIsCutAgainAndAgainIsGivenUp) {
  serve({.content = content(100'000), .cut_after = 30'000});
  EXPECT_EQ(code_of(read_file()), ErrorCode::unavailable);
  EXPECT_EQ(times_received("REST 60000"), 0);
}

TEST_F(FtpBackendTest, ATransferThatBringsNothingIsUnavailable) {
  serve({.content = content(100'000), .cut_after = 0});
  EXPECT_EQ(code_of(read_file()), ErrorCode::unavailable);
}

TEST_F(FtpBackendTest, ATransferThatStallsTimesOut) {
  serve({.stalls_in_data = true, .content = content(100'000), .cut_after = 10'000});
  EXPECT_EQ(code_of(read_file()), ErrorCode::timed_out);
}

/// An I/O thread would wait for the server.
TEST_F(FtpBackendTest, ReadingWithoutWaitingDoesNotMeetTheEnd) {
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

TEST_F(FtpBackendTest, AFileThatWasReplacedIsNotMixed) {
  // More than is read ahead.
  serve({.content = std::string(8'000'000, 'x')});
  const Path file = Path::parse("file").value();
  const auto reader = run(backend().open(file));
  ASSERT_TRUE(reader);
  std::vector<std::byte> buffer(1000);
  ASSERT_TRUE(run((*reader)->read(0, buffer)));
  server().set([](Behaviour& behaviour) { behaviour.time = "20200102030406"; });
  EXPECT_EQ(code_of(run((*reader)->read(7'000'000, buffer))), ErrorCode::refused);
}

TEST_F(FtpBackendTest, AFileThatGrewAfterItWasOpenedIsNotReadInPart) {
  serve({.content = content(1000)});
  const Path file = Path::parse("file").value();
  const auto reader = run(backend().open(file));
  ASSERT_TRUE(reader);
  server().set([](Behaviour& behaviour) { behaviour.content += "more"; });
  std::vector<std::byte> buffer(1000);
  EXPECT_EQ(code_of(run((*reader)->read(0, buffer))), ErrorCode::refused);
}

/// How servers refuse to show a file that is there.
TEST_F(FtpBackendTest, ANameIsNotFreeBecauseTheServerRefusesToLook) {
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
    EXPECT_EQ(code_of(run(backend().copy(from, taken, {}))), expected) << refusal;
    EXPECT_EQ(times_received("RNFR /from"), 0);
    reopen();
  }
}

TEST_F(FtpBackendTest, AFileIsNotReplacedBecauseTheServerRefusesToLook) {
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
TEST_F(FtpBackendTest, ANameThatNoListingHasIsFree) {
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
TEST_F(FtpBackendTest, AnUploadThatTheServerEndsIsRefused) {
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
TEST_F(FtpBackendTest, ATreeWithoutEndIsGivenUp) {
  const std::string folder = "type=dir;modify=20200102030405; ";
  serve({.features = std::string(kMlst),
         .listing = folder + "a\r\n" + folder + "b\r\n",
         .replies = {{"MLST", "250-\r\n type=dir; x\r\n250 End"},
                     {"MLST /to", "550 No such file"},
                     {"MKD", "257 Made"},
                     {"DELE", "550 A folder"},
                     {"RNFR", "350 Whereto?"},
                     {"RNTO", "250 Done"}}});
  const Path from = Path::parse("from").value();
  const Path to = Path::parse("to").value();
  constexpr std::size_t kMany = 1'000'000;
  const WalkLimits limits[] = {
      {.folders = 9, .items = kMany, .name_bytes = kMany, .depth = kMany},
      {.folders = kMany, .items = 20, .name_bytes = kMany, .depth = kMany},
      {.folders = kMany, .items = kMany, .name_bytes = 20, .depth = kMany},
      {.folders = kMany, .items = kMany, .name_bytes = kMany, .depth = 9},
  };
  for (const auto& limit : limits) {
    changed_.walk = limit;
    reopen();
    EXPECT_EQ(code_of(run(backend().measure(from))), ErrorCode::refused);
    EXPECT_EQ(code_of(run(backend().copy(from, to, UINT64_MAX))), ErrorCode::refused);
    EXPECT_EQ(code_of(run(backend().remove(from))), ErrorCode::refused);
  }
}

TEST_F(FtpBackendTest, ConnectionsAreUsedAgain) {
  serve({.features = std::string(kMlst), .listing = item("a")});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(list());
  EXPECT_EQ(server().logins(), 1);
}

TEST_F(FtpBackendTest, AStreamIsClosedAlsoWhenItsBackendIsGone) {
  serve({.content = content(8'000'000)});
  std::promise<void> gone;
  Pool pool(1);
  auto backend = FtpBackend::open(options(), pool).value();
  const Path file = Path::parse("file").value();
  auto reader = run(backend->open(file)).value();
  std::vector<std::byte> buffer(1000);
  ASSERT_TRUE(run(reader->read(0, buffer)));
  pool.post([&] { gone.get_future().wait(); });
  reader.reset();
  backend.reset();
  gone.set_value();
}

TEST_F(FtpBackendTest, AConnectionThatDiedAtRestIsMadeAnew) {
  serve({.features = std::string(kMlst), .listing = item("a")});
  EXPECT_TRUE(list());
  server().hang_up();
  EXPECT_TRUE(list());
  EXPECT_EQ(server().logins(), 2);
}

TEST_F(FtpBackendTest, ConnectionsAreClosedWhenIdle) {
  serve({.features = std::string(kMlst), .listing = item("a")});
  changed_.idle_after = 1ms;
  EXPECT_TRUE(list());
  while (times_received("QUIT") == 0) std::this_thread::yield();
  EXPECT_TRUE(list());
  EXPECT_EQ(server().logins(), 2);
}

TEST_F(FtpBackendTest, NoMoreConnectionsAreOpenedThanAllowed) {
  serve({.features = std::string(kMlst), .listing = item("a")});
  changed_.connections = 2;
  changed_.deadlines.reply = 20s;
  std::vector<std::jthread> threads;
  std::atomic<int> listed = 0;
  backend();
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) listed += list().has_value() ? 1 : 0;
    });
  }
  threads.clear();
  EXPECT_EQ(listed, 40);
  EXPECT_LE(server().logins(), 2);
}

TEST_F(FtpBackendTest, AnAddressThatMayNotBeReachedIsNot) {
  serve({});
  changed_.may_connect = [](const sockaddr&) { return false; };
  const auto listed = list();
  EXPECT_EQ(code_of(listed), ErrorCode::unavailable);
  EXPECT_EQ(listed.error().message, "Connections to the FTP server's address are not allowed.");
  EXPECT_TRUE(server().received().empty());
}

TEST_F(FtpBackendTest, DataComesFromTheServerWhateverAddressItNames) {
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

TEST_F(FtpBackendTest, NamesReachTheServerAsTheyAre) {
  serve({.features = std::string(kMlst)});
  const Path path = Path::parse("-a b;type=a/100%25#?[x]*~").value();
  (void)run(backend().stat(path));
  EXPECT_EQ(times_received("MLST /-a b;type=a/100%25#?[x]*~"), 1);
}

TEST_F(FtpBackendTest, AFileIsAskedForByItsExactName) {
  serve({.content = "x"});
  const Path path = Path::parse("-a b;type=a/100%25#?[x]*~").value();
  const auto reader = run(backend().open(path));
  ASSERT_TRUE(reader);
  std::vector<std::byte> buffer(10);
  EXPECT_EQ(run((*reader)->read(0, buffer)), 1U);
  EXPECT_EQ(times_received("RETR /-a b;type=a/100%25#?[x]*~"), 1);
}

}  // namespace
}  // namespace coffer::ftp
