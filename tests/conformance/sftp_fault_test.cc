#include <array>
#include <stop_token>
#include <thread>

#include "conformance/sftp_fixture.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;
using servers::FaultyLine;
using Fault = FaultyLine::Fault;
using Way = FaultyLine::Way;

/// The numbers of bytes after which a server's replies are cut off: within the first reply of a
/// change, behind some others, and never. backends/remote tests a fault at each request; here it is
/// the protocol that has to notice it.
constexpr std::uint64_t kCutsBytes[] = {0, 60, 200, 500, 3000};

class SftpFault : public SftpTest {
 protected:
  SftpFault() { options_.deadlines.reply = options_.deadlines.stall = 2s; }

  static std::string large(char letter) { return std::string(3'000'000, letter); }

  void expect_remote_failure(std::optional<ErrorCode> code) {
    EXPECT_TRUE(code == ErrorCode::unavailable || code == ErrorCode::timed_out)
        << (code ? to_string(*code) : "no failure");
  }
  using Writers = std::vector<std::unique_ptr<storage::Writer>>;
  /// For `a` and `b`, which are there, and `c`, which is not; each on a connection of its own.
  Writers three_writers() {
    for (const auto& left : names_on_disk()) std::filesystem::remove(root_ / left);
    for (const auto* name : {"a", "b"}) put(name, "old");
    Writers writers;
    for (const auto* name : {"a", "b", "c"}) {
      writers.push_back(run(backend().create(path_of(name), {})).value());
    }
    for (const auto& writer : writers) {
      EXPECT_TRUE(run(writer->write(bytes_of("new"))));
      EXPECT_TRUE(run(writer->finish()));
    }
    return writers;
  }
  void expect_all_or_nothing(const Writers& writers) {
    const bool published = run(backend().publish(writers, UINT64_MAX)).has_value();
    for (const auto* name : {"a", "b"}) EXPECT_EQ(content_of(name), published ? "new" : "old");
    using Names = std::vector<std::string>;
    EXPECT_EQ(names_on_disk(), published ? Names({"a", "b", "c"}) : Names({"a", "b"}));
  }
  void end_connections() {
    reopen();
    while (line_.standing() > 0) std::this_thread::yield();
  }
  Result<void> publish(const std::unique_ptr<storage::Writer>& writer) {
    const auto published = run(backend().publish(std::span(&writer, 1), UINT64_MAX));
    if (!published) return failure_of(published);
    return {};
  }
};

TEST_F(SftpFault, ConnectingFailsWholeWhereverItIsCut) {
  put("file", "content");
  options_.deadlines.login = 300ms;
  const Path root;
  for (const std::uint64_t after : {0U, 331U, 1324U, 2317U, 3310U}) {
    for (const auto way : {Way::to_client, Way::to_server}) {
      line_.fail(after % 2 == 0 ? Fault::cut : Fault::garble, way, after);
      reopen();
      const auto listed = run(backend().list(root));
      if (!listed) {
        expect_remote_failure(listed.error().code);
        continue;
      }
      EXPECT_EQ(listed->size(), 1U);
    }
  }
  line_.repair();
  options_.deadlines.login = 60s;
  reopen();
  EXPECT_EQ(run(backend().list(root))->size(), 1U);
}

TEST_F(SftpFault, ConnectingTimesOutWhereverItStalls) {
  options_.deadlines.login = 200ms;
  const Path root;
  for (const std::uint64_t after : {0U, 10U, 1000U, 2000U, 2600U}) {
    line_.fail(Fault::stall, Way::to_client, after);
    reopen();
    EXPECT_EQ(code_of(run(backend().stat(root))), ErrorCode::timed_out) << after;
  }
  line_.repair();
  options_.deadlines.login = 60s;
  reopen();
  EXPECT_TRUE(run(backend().stat(root)));
}

TEST_F(SftpFault, WhoWaitsForASilentServerDoesSoOnce) {
  options_.deadlines.login = 200ms;
  line_.fail(Fault::stall, Way::to_client, 0);
  const Path root;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(code_of(run(backend().stat(root))), ErrorCode::timed_out);
  }
  EXPECT_LT(line_.connections(), 10);
}

/// Each name is a sign of life.
TEST_F(SftpFault, AListingThatDripsTimesOut) {
  put("file", "content");
  options_.deadlines.listing = {.grace = 0ms, .bytes_per_s = UINT32_MAX};
  const Path root;
  const auto listed = run(backend().list(root));
  ASSERT_EQ(code_of(listed), ErrorCode::timed_out);
  EXPECT_EQ(listed.error().message, "The remote server sends a listing too slowly.");
}

TEST_F(SftpFault, ADownloadFailsRatherThanGiveWhatIsWrong) {
  put("file", large('x'));
  const Path path = path_of("file");
  for (const auto fault : {Fault::cut, Fault::garble, Fault::stall}) {
    const auto reader = run(backend().open(path));
    ASSERT_TRUE(reader);
    line_.fail_standing(fault, Way::to_client, 1'000'000);
    expect_remote_failure(code_of(read_to_end(**reader)));
    line_.repair();
    EXPECT_EQ(download(backend(), path), large('x'));
  }
}

TEST_F(SftpFault, AListingFailsRatherThanBeIncomplete) {
  for (int i = 0; i < 500; ++i) put(std::to_string(i), "");
  const Path root;
  ASSERT_EQ(run(backend().list(root))->size(), 500U);
  for (const auto fault : {Fault::cut, Fault::garble, Fault::stall}) {
    line_.fail_standing(fault, Way::to_client, 20'000);
    expect_remote_failure(code_of(run(backend().list(root))));
    line_.repair();
    EXPECT_EQ(run(backend().list(root))->size(), 500U);
  }
}

TEST_F(SftpFault, ABrokenUploadChangesNothing) {
  put("file", "old");
  const Path path = path_of("file");
  for (const auto fault : {Fault::cut, Fault::garble, Fault::stall}) {
    end_connections();  // One may still clean up, and then the upload would take a new one.
    ASSERT_TRUE(run(backend().stat(path)));
    line_.fail_standing(fault, Way::to_server, 1'000'000);
    expect_remote_failure(code_of(upload(backend(), path, large('x'))));
    line_.repair();
    EXPECT_EQ(content_of("file"), "old");
    EXPECT_EQ(names_on_disk(), std::vector<std::string>{"file"});
  }
  ASSERT_TRUE(upload(backend(), path, large('y')));
  EXPECT_TRUE(content_of("file") == large('y'));
}

TEST_F(SftpFault, APublishThatFailedWorksWhenTheServerIsBack) {
  options_.deadlines = {};  // The cut is felt at once; nothing else is to fail.
  put("file", "old");
  const auto writer = finished_writer(backend(), path_of("file"), "new");
  ASSERT_TRUE(writer);
  line_.fail(Fault::cut, Way::to_server, 0);
  expect_remote_failure(code_of(publish(*writer)));
  EXPECT_EQ(content_of("file"), "old");
  line_.repair();
  EXPECT_TRUE(publish(*writer));
  EXPECT_EQ(content_of("file"), "new");
}

/// Wherever the answers are cut off, what is said is what is so.
TEST_F(SftpFault, PublishingTellsTheTruthWhenAnAnswerIsLost) {
  int succeeded = 0;
  for (const std::uint64_t after : kCutsBytes) {
    line_.repair();
    put("file", "old");
    const auto writer = finished_writer(backend(), path_of("file"), "new");
    ASSERT_TRUE(writer);
    line_.fail_standing(Fault::cut, Way::to_client, after);
    const auto published = publish(*writer);
    EXPECT_EQ(content_of("file"), published ? "new" : "old") << after;
    succeeded += published.has_value();
  }
  EXPECT_GT(succeeded, 0);
}

TEST_F(SftpFault, SeveralWritersAreTakenBackTogether) {
  options_.deadlines = {};
  for (const std::uint64_t after : kCutsBytes) {
    const auto writers = three_writers();
    line_.fail_standing(Fault::cut, Way::to_client, after);
    SCOPED_TRACE(after);
    expect_all_or_nothing(writers);
    line_.repair();
  }
}

TEST_F(SftpFault, SeveralWritersAreTakenBackTogetherWhereNothingIsReplacedInOneStep) {
  FaultyLine line(bare_ssh_server().port());
  options_ = options_for(bare_ssh_server());
  options_.port = line.port();
  options_.root = root_;
  for (const std::uint64_t after : kCutsBytes) {
    const auto writers = three_writers();
    line.fail_standing(Fault::cut, Way::to_client, after);
    SCOPED_TRACE(after);
    expect_all_or_nothing(writers);
    line.repair();
  }
}

TEST_F(SftpFault, AConnectionThatDiedWhileIdleIsMadeAnew) {
  const Path root;
  ASSERT_TRUE(run(backend().stat(root)));
  line_.cut();
  EXPECT_TRUE(run(backend().stat(root)));
  line_.fail_standing(Fault::cut, Way::to_server, 0);
  EXPECT_TRUE(run(backend().stat(root)));
  EXPECT_EQ(line_.connections(), 3);
}

TEST_F(SftpFault, AServerThatStallsTimesOutAndRecovers) {
  const Path root;
  ASSERT_TRUE(run(backend().stat(root)));
  line_.fail_standing(Fault::stall, Way::to_client, 0);
  EXPECT_EQ(code_of(run(backend().stat(root))), ErrorCode::timed_out);
  EXPECT_TRUE(run(backend().stat(root)));
}

TEST_F(SftpFault, ConnectionsAreBoundedAndShared) {
  options_.max_connections = 2;
  for (const char name : {'a', 'b', 'c', 'd', 'e'}) put(std::string(1, name), large(name));
  std::vector<std::unique_ptr<storage::Reader>> readers;
  for (const auto* name : {"a", "b", "c", "d", "e"}) {
    readers.push_back(run(backend().open(path_of(name))).value());
  }
  std::array<std::byte, 10'000> piece{};
  for (const auto& reader : readers) ASSERT_TRUE(run(reader->read(0, piece)));
  for (std::size_t i = readers.size(); i > 0; --i) {
    EXPECT_EQ(read_to_end(*readers[i - 1]), large(static_cast<char>('a' + i - 1)));
  }
  EXPECT_EQ(line_.connections(), 2);
}

TEST_F(SftpFault, IdleConnectionsAreClosed) {
  options_.keep_idle = 20ms;
  const Path root;
  ASSERT_TRUE(run(backend().stat(root)));
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (line_.standing() > 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  EXPECT_EQ(line_.standing(), 0);
  EXPECT_TRUE(run(backend().stat(root)));
}

TEST_F(SftpFault, NothingIsWaitedForWhenTheServerEnds) {
  std::stop_source ending;
  options_.deadlines.ending = ending.get_token();
  std::filesystem::create_directory(root_ / "folder");
  put("folder/file", "content");
  put("file", "content");
  ending.request_stop();
  const Path folder = path_of("folder");
  const Path file = path_of("file");
  EXPECT_EQ(code_of(run(backend().measure(folder))), ErrorCode::unavailable);
  EXPECT_EQ(code_of(run(backend().remove(folder))), ErrorCode::unavailable);
  EXPECT_EQ(code_of(run(backend().stat(file))), ErrorCode::unavailable);
  EXPECT_EQ(content_of("folder/file"), "content");
}

TEST_F(SftpFault, KeysMayChangeUnderway) {
  const servers::SshServer server({.lines = {"RekeyLimit 1M"}});
  options_.deadlines = {};
  options_.port = server.port();
  options_.host_key = server.host_key();
  options_.credential.private_key = server.private_key();
  const Path path = path_of("file");
  ASSERT_TRUE(upload(backend(), path, large('x')));
  EXPECT_TRUE(content_of("file") == large('x'));
  const auto content = download(backend(), path);
  ASSERT_TRUE(content) << content.error().message;
  EXPECT_TRUE(*content == large('x'));
}

TEST_F(SftpFault, ADroppedWriterLeavesNothing) {
  {
    auto writer = run(backend().create(path_of("file"), {}));
    ASSERT_TRUE(writer);
    ASSERT_TRUE(run((*writer)->write(bytes_of(large('x')))));
  }
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!std::filesystem::is_empty(root_) && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  EXPECT_TRUE(std::filesystem::is_empty(root_));
}

}  // namespace
}  // namespace coffer::conformance
