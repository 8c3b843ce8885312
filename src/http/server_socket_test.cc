#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <stdexcept>
#include <string>

#include "base/testing/scratch_folder.h"
#include "http/testing/server_fixture.h"

namespace coffer::http {
namespace {

namespace fs = std::filesystem;

class ServerSocketTest : public ServerTest {
 protected:
  void start_at(const fs::path& socket) {
    ServerOptions options;
    options.socket = socket;
    start(std::move(options));
  }
  static TestClient::Answer ask_at(const fs::path& socket, std::string_view bytes) {
    TestClient client(socket);
    client.send(bytes);
    return client.read_answer();
  }

  const ScratchFolder folder_;
  const fs::path socket_ = folder_.path() / "own.sock";
};

TEST_F(ServerSocketTest, ServesItsOwnUserAlone) {
  start_at(socket_);
  const auto answer = ask_at(socket_, kHello);
  EXPECT_EQ(answer.status, 200u);
  struct stat status{};
  ASSERT_EQ(::stat(socket_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(ServerSocketTest, ReplacesTheSocketOfADeadServer) {
  start_at(socket_);
  const fs::path kept = folder_.path() / "kept.sock";
  fs::rename(socket_, kept);  // It stays when the server stops.
  server_.reset();
  fs::rename(kept, socket_);
  EXPECT_THROW(TestClient client(socket_), std::runtime_error);
  start_at(socket_);
  EXPECT_EQ(ask_at(socket_, kHello).status, 200u);
}

TEST_F(ServerSocketTest, LeavesAFileThatIsNoSocket) {
  std::ofstream(socket_) << "text";
  ServerOptions options;
  options.socket = socket_;
  Server server(std::move(options), router_);
  const auto started = server.start();
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().message.find(socket_.string()), std::string::npos);
  EXPECT_TRUE(fs::is_regular_file(socket_));
}

TEST_F(ServerSocketTest, LeavesALinkAndWhatItLeadsTo) {
  start_at(folder_.path() / "other.sock");
  fs::create_symlink("other.sock", socket_);
  ServerOptions options;
  options.socket = socket_;
  Server server(std::move(options), router_);
  EXPECT_FALSE(server.start());
  EXPECT_TRUE(fs::is_symlink(socket_));
  EXPECT_EQ(ask_at(folder_.path() / "other.sock", kHello).status, 200u);
}

TEST_F(ServerSocketTest, IsGoneAfterTheStop) {
  start_at(socket_);
  EXPECT_TRUE(server_->stop(std::chrono::milliseconds(1000)));
  EXPECT_FALSE(fs::exists(socket_));
}

TEST_F(ServerSocketTest, LeavesTheSocketOfAnotherServer) {
  start_at(socket_);
  fs::rename(socket_, folder_.path() / "moved.sock");
  ServerOptions options;
  options.socket = socket_;
  Server other(std::move(options), router_);
  ASSERT_TRUE(other.start());
  EXPECT_TRUE(server_->stop(std::chrono::milliseconds(1000)));
  EXPECT_EQ(ask_at(socket_, kHello).status, 200u);
}

TEST_F(ServerSocketTest, ServesAConnectionThatWasMadeBeforeTheStop) {
  start_at(socket_);
  const fs::path kept = folder_.path() / "kept.sock";
  fs::create_hard_link(socket_, kept);
  TestClient client(socket_);
  auto stopped = std::async([&] { return server_->stop(std::chrono::seconds(30)); });
  const auto connect_for_ever = [&] {
    for (;;) TestClient probe(kept);
  };
  EXPECT_THROW(connect_for_ever(), std::runtime_error);  // The server takes no more connections.
  client.send(kHello);
  EXPECT_EQ(client.read_answer().status, 200u);
  EXPECT_TRUE(stopped.get());
}

TEST_F(ServerSocketTest, AClientThatSendsNothingDoesNotHoldUpTheStop) {
  start_at(socket_);
  const TestClient client(socket_);
  EXPECT_TRUE(server_->stop(std::chrono::minutes(10)));
}

TEST_F(ServerSocketTest, MayHaveALongPath) {
  const fs::path deep = folder_.path() / std::string(200, 'd');
  fs::create_directory(deep);
  start_at(deep / "own.sock");
  const fs::path here = fs::current_path();
  fs::current_path(deep);
  EXPECT_EQ(ask_at("own.sock", kHello).status, 200u);
  fs::current_path(here);
}

TEST_F(ServerSocketTest, AnAnswerArrivesAlthoughTheBodyWasNotRead) {
  start_at(socket_);
  const std::string body(1'000'000, 'x');
  const auto answer =
      ask_at(socket_, "POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + body);
  EXPECT_EQ(answer.status, 413u);
}

}  // namespace
}  // namespace coffer::http
