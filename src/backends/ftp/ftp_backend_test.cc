#include <atomic>
#include <future>
#include <thread>

#include "backends/ftp/testing/ftp_fixture.h"

namespace coffer::ftp {
namespace {

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

TEST_F(FtpBackendTest, ALongTransferGoesOnAsOftenAsItIsCut) {
  serve({.content = content(2'500'000), .cut_after = 1'100'000});
  EXPECT_TRUE(read_file() == content(2'500'000));
  EXPECT_EQ(times_received("REST 1100000"), 1);
  EXPECT_EQ(times_received("REST 2200000"), 1);
}

TEST_F(FtpBackendTest, ATransferThatBringsNothingIsUnavailable) {
  serve({.content = content(100'000), .cut_after = 0});
  EXPECT_EQ(code_of(read_file()), ErrorCode::unavailable);
}

TEST_F(FtpBackendTest, ATransferThatStallsTimesOut) {
  serve({.stalls_in_data = true, .content = content(100'000), .cut_after = 10'000});
  EXPECT_EQ(code_of(read_file()), ErrorCode::timed_out);
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
