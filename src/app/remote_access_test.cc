#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "app/app_context.h"
#include "async/run.h"
#include "base/testing/scratch_folder.h"
#include "core/connectors/connector_service.h"

namespace coffer::app {
namespace {

/// Listens on 127.0.0.1, counts who comes, and hangs up at once.
class Counter {
 public:
  Counter() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = sizeof address;
    EXPECT_EQ(::bind(socket_, any, length), 0);
    EXPECT_EQ(::listen(socket_, 8), 0);
    EXPECT_EQ(::getsockname(socket_, any, &length), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Counter() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  std::uint16_t port() const { return port_; }
  int visitors() const { return visitors_; }

 private:
  void serve() {
    for (int visitor = 0; (visitor = ::accept(socket_, nullptr, nullptr)) >= 0;) {
      ++visitors_;
      ::close(visitor);
    }
  }

  const int socket_;
  std::uint16_t port_ = 0;
  std::atomic<int> visitors_ = 0;
  std::thread thread_;
};

struct Server {
  catalog::ConnectorKind kind;
  std::string host;
};

/// A connector to this machine, from the patch for it to the connection.
class ToThisMachine : public testing::TestWithParam<Server> {
 protected:
  std::unique_ptr<AppContext> open(bool private_connectors) const {
    Settings settings;
    settings.data = folder_.path() / "data";
    settings.private_connectors = private_connectors;
    return AppContext::open(settings, 1, AppContext::IfMissing::make).value();
  }
  core::ConnectorPatch patch() const {
    core::ConnectorPatch patch;
    patch.name = "here";
    patch.host = GetParam().host;
    patch.port = counter_.port();
    patch.user = "ada";
    patch.secret = "secret";
    if (GetParam().kind == catalog::ConnectorKind::sftp)
      patch.host_key = "SHA256:" + std::string(43, 'A');
    return patch;
  }
  /// Returns the error of listing a connector's folder.
  Error listing(bool by_administrator, bool private_connectors) const {
    const auto app = open(private_connectors);
    core::ConnectorService service(app->catalog(), app->mount_backends(), app->connector_types(),
                                   app->sealer(), by_administrator);
    const auto made = GetParam().kind == catalog::ConnectorKind::drive
                          ? drive(service, account_in(*app))
                          : run(service.add(account_in(*app), GetParam().kind, patch()));
    if (!made) return made.error();  // Some settings are refused at once.
    return run(service.test(*made)).error();
  }
  Result<catalog::Connector> drive(core::ConnectorService& service, AccountId account) const {
    core::ConnectorPatch patch;
    patch.name = "here";
    patch.provider = "webdav";
    patch.parameters["url"] = fmt::format("https://{}:{}/", GetParam().host, counter_.port());
    return run(service.add(account, catalog::ConnectorKind::drive, std::move(patch)));
  }
  /// Returns the error of a connector that trusts the key that its server shows.
  Error host_key(bool by_administrator, bool private_connectors) const {
    const auto app = open(private_connectors);
    core::ConnectorService service(app->catalog(), app->mount_backends(), app->connector_types(),
                                   app->sealer(), by_administrator);
    core::ConnectorPatch trusting = patch();
    trusting.trusts_first_key = true;
    const AccountId account = account_in(*app);
    return run(service.add(account, GetParam().kind, std::move(trusting))).error();
  }
  static AccountId account_in(AppContext& app) {
    catalog::NewAccount account;
    account.name = "ada";
    return run(app.catalog().accounts().add(std::move(account))).value().id;
  }
  void expect_refused(const Error& error) const {
    EXPECT_NE(error.message.find("address are not allowed"), std::string::npos) << error.message;
    EXPECT_EQ(counter_.visitors(), 0);
  }
  void expect_reached(const Error& error) const {
    EXPECT_EQ(error.message.find("not allowed"), std::string::npos) << error.message;
    EXPECT_GT(counter_.visitors(), 0) << error.message;
  }

  const ScratchFolder folder_;
  Counter counter_;
};
/// The host key of this machine's server.
class HostKeyOfThisMachine : public ToThisMachine {};

std::string name_of(const testing::TestParamInfo<Server>& info) {
  const std::string kind(catalog::to_string(info.param.kind));
  return kind + (info.param.host == "localhost" ? "_name" : "_address");
}

const Server kFtpAddress = {catalog::ConnectorKind::ftp, "127.0.0.1"};
const Server kFtpName = {catalog::ConnectorKind::ftp, "localhost"};
const Server kSftpAddress = {catalog::ConnectorKind::sftp, "127.0.0.1"};
const Server kSftpName = {catalog::ConnectorKind::sftp, "localhost"};
const Server kDriveAddress = {catalog::ConnectorKind::drive, "127.0.0.1"};
const Server kDriveName = {catalog::ConnectorKind::drive, "localhost"};
INSTANTIATE_TEST_SUITE_P(Servers, ToThisMachine,
                         testing::Values(kFtpAddress, kFtpName, kSftpAddress, kSftpName,
                                         kDriveAddress, kDriveName),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Servers, HostKeyOfThisMachine, testing::Values(kSftpAddress, kSftpName),
                         name_of);

TEST_P(ToThisMachine, AUsersConnectorIsRefused) {
  expect_refused(listing(false, false));
}

TEST_P(ToThisMachine, AUsersConnectorConnectsWhereTheSettingAllowsIt) {
  expect_reached(listing(false, true));
}

TEST_P(ToThisMachine, AnAdministratorsConnectorConnects) {
  expect_reached(listing(true, false));
}

TEST_P(HostKeyOfThisMachine, IsNotToldToAUser) {
  expect_refused(host_key(false, false));
}

TEST_P(HostKeyOfThisMachine, IsToldToAUserWhereTheSettingAllowsIt) {
  expect_reached(host_key(false, true));
}

TEST_P(HostKeyOfThisMachine, IsToldToAnAdministrator) {
  expect_reached(host_key(true, false));
}

}  // namespace
}  // namespace coffer::app
