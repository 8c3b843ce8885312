#include "conformance/drive_fixture.h"

#include <fmt/format.h>

#include "base/random.h"
#include "servers/apache_dav.h"
#include "servers/rclone_dav.h"
#include "servers/s3_server.h"

namespace coffer::conformance {
namespace {

template <class Server>
rclone::DriveOptions on_dav() {
  static Server server;
  rclone::DriveOptions options{
      .config = {"webdav",
                 {{"url", fmt::format("http://127.0.0.1:{}/", server.port())},
                  {"vendor", "other"},
                  {"user", "tester"},
                  {"pass", "secret"}}}};
  options.root = server.make_folder();
  return options;
}

/// Where the address of the server stands.
std::string& address_in(rclone::DriveOptions& options) {
  auto& parameters = options.config.parameters;
  return options.config.type == "s3" ? parameters.at("endpoint") : parameters.at("url");
}

}  // namespace

rclone::DriveOptions on_apache() {
  return on_dav<servers::ApacheDav>();
}

rclone::DriveOptions on_rclone_dav() {
  return on_dav<servers::RcloneDav>();
}

rclone::DriveOptions on_s3() {
  static servers::S3Server server;
  rclone::DriveOptions options{
      .config = {"s3",
                 {{"provider", "Ceph"},
                  {"endpoint", fmt::format("http://127.0.0.1:{}/", server.port())},
                  {"access_key_id", servers::S3Server::access_key()},
                  {"secret_access_key", servers::S3Server::secret_key()}}}};
  options.root = servers::S3Server::bucket() + "/" + random_hex(8);
  return options;
}

std::uint16_t port_of(const rclone::DriveOptions& options) {
  rclone::DriveOptions copy = options;
  const std::string& address = address_in(copy);
  return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

rclone::DriveOptions through(rclone::DriveOptions options, std::uint16_t port) {
  address_in(options) = fmt::format("http://127.0.0.1:{}/", port);
  return options;
}

}  // namespace coffer::conformance
