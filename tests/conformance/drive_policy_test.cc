#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "async/pool.h"
#include "backends/rclone/confinement/confined_engine.h"
#include "backends/rclone/drive_backend.h"
#include "backends/rclone/engine/proxy.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/remote_control.h"
#include "backends/rclone/engine/upload_server.h"
#include "base/testing/scratch_folder.h"
#include "conformance/conformance.h"
#include "servers/certificate.h"
#include "servers/https_redirect.h"
#include "servers/rclone_dav.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

/// This machine by a name that Go does not take for it, so that it goes by the proxy.
constexpr std::string_view kByName = "LOCALHOST";

/// A service of this machine that no drive may get at. It counts who does, and closes the
/// connection.
class Inside {
 public:
  Inside() {
    accept();
    thread_ = std::jthread([this] { context_.run(); });
  }
  ~Inside() { context_.stop(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  int visits() const { return visits_; }

 private:
  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket /*visitor*/) {
      if (!error) ++visits_;
      accept();
    });
  }

  std::atomic<int> visits_ = 0;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_, {asio::ip::address_v4::loopback(), 0}};
  std::jthread thread_;
};

/// An engine for public addresses only, for which 127.0.0.1 counts as one while `is_open`. On a
/// kernel that cannot hold it, it never runs and says so, and the tests see to that.
class DrivePolicy : public testing::Test {
 protected:
  rclone::RcloneOptions options(const char* folder) const {
    return {.folder = scratch_.path() / folder,
            .environment = {"SSL_CERT_FILE=" + certificate_.certificate.string()},
            .patience = {.tries = 1}};
  }
  rclone::RcloneOptions limited_options() const {
    return rclone::confined_engine(options("limited"), proxy_, upload_server_.port());
  }

  /// The error of listing that address, or nothing.
  static std::string list(rclone::RcloneProcess& engine, const std::string& type,
                          const std::string& address) {
    const auto run = coffer::run(engine.running());
    if (!run) return run.error().message;
    boost::json::object parameters{{"fs", fmt::format(":{},url='{}':", type, address)},
                                   {"remote", ""}};
    const auto listed =
        coffer::run(rclone::call(**run, "operations/list", std::move(parameters), 60s));
    return listed ? "" : listed.error().message;
  }
  /// What the engine says where it is held, and what it says where it cannot be.
  std::string explained(std::string message) const {
    if (obstacle_) return obstacle_->message;
    return message;
  }
  std::string list_limited(const std::string& type, const std::string& address) {
    return list(*limited_, type, address);
  }
  /// The engine without limits gets inside by that address, and so the other one might.
  void expect_kept_out(const std::string& address) {
    for (const char* type : {"webdav", "http"}) {
      const int before = inside_.visits();
      EXPECT_NE(list_limited(type, address), "") << type << address;
      EXPECT_EQ(inside_.visits(), before) << type << address;
      EXPECT_NE(list(free_, type, address), "") << type << address;
      EXPECT_GT(inside_.visits(), before) << type << address;
    }
  }
  std::string inside(std::string_view scheme, std::string_view host) const {
    return fmt::format("{}://{}:{}", scheme, host, inside_.port());
  }

  ScratchFolder scratch_;
  servers::Certificate certificate_{scratch_.path()};
  Inside inside_;
  std::atomic<bool> is_open_ = true;
  std::atomic<int> asked_ = 0;
  rclone::Proxy proxy_{[this](const sockaddr& address) {
    ++asked_;
    return is_open_ && address.sa_family == AF_INET;
  }};
  rclone::UploadServer upload_server_;
  const std::optional<Error> obstacle_ = limited_options().obstacle;
  std::shared_ptr<rclone::RcloneProcess> limited_ =
      std::make_shared<rclone::RcloneProcess>(limited_options());
  rclone::RcloneProcess free_{options("free")};
  Pool pool_{2};
};

TEST_F(DrivePolicy, AnAllowedDriveWorksThroughTheProxy) {
  servers::RcloneDav server(&certificate_);
  rclone::DriveOptions options{
      .config = {"webdav",
                 {{"url", fmt::format("https://{}:{}/", kByName, server.port())},
                  {"vendor", "other"},
                  {"user", "tester"},
                  {"pass", "secret"}}}};
  options.root = server.make_folder();
  options.spool = scratch_.path();
  const auto drive =
      rclone::DriveBackend::open(std::move(options), limited_, upload_server_, pool_).value();
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{20} << 20}) {
    const std::string content(size, 'c');
    const auto uploaded = upload(*drive, path_of("file"), content);
    EXPECT_EQ(uploaded ? "" : uploaded.error().message, explained("")) << size;
    EXPECT_TRUE(!uploaded || download(*drive, path_of("file")) == content) << size;
  }
  EXPECT_EQ(asked_ > 0, !obstacle_);
}

TEST_F(DrivePolicy, ANameOfARefusedAddressIsTold) {
  is_open_ = false;
  const std::string not_allowed = explained("Connections to the drive's address are not allowed.");
  EXPECT_EQ(list_limited("webdav", inside("https", kByName)), not_allowed);
  EXPECT_EQ(list_limited("http", inside("https", kByName)), not_allowed);
  EXPECT_EQ(inside_.visits(), 0);
}

TEST_F(DrivePolicy, PlainHttpIsToldOf) {
  EXPECT_EQ(list_limited("webdav", inside("http", kByName)),
            explained("The drive must be reached by https."));
  EXPECT_EQ(inside_.visits(), 0);
}

TEST_F(DrivePolicy, ALiteralLoopbackAddressIsNotReached) {
  expect_kept_out(inside("https", "127.0.0.1"));
  expect_kept_out(inside("http", "127.0.0.1"));
}

TEST_F(DrivePolicy, LocalhostIsNotReached) {
  expect_kept_out(inside("https", "localhost"));
  expect_kept_out(inside("http", "localhost"));
}

TEST_F(DrivePolicy, NothingInsideIsReachedByARedirect) {
  for (const char* host : {"127.0.0.1", "localhost"}) {
    for (const char* scheme : {"https", "http"}) {
      const servers::HttpsRedirect server(certificate_, inside(scheme, host));
      asked_ = 0;
      expect_kept_out(fmt::format("https://{}:{}", kByName, server.port()));
      EXPECT_EQ(asked_ > 0, !obstacle_) << "Whether the redirect itself was reached.";
    }
  }
}

}  // namespace
}  // namespace coffer::conformance
