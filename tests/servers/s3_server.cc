#include "servers/s3_server.h"

#include <fstream>

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCephSettings = COFFER_SERVER_SETTINGS "/ceph.conf";
constexpr const char* kCluster = "6a1c0d2e-8d0b-4d5d-9d9c-0c5b6a7c8d9e";
constexpr const char* kStore = "f0e1d2c3-1a2b-4c3d-8e9f-a0b1c2d3e4f5";

std::string monitor_at(std::uint16_t port) {
  return "v2:127.0.0.1:" + std::to_string(port);
}

}  // namespace

S3Server::S3Server() {
  const fs::path& top = scratch_.path();
  monitor_ = std::make_unique<ServerProcess>(
      [this](std::uint16_t port) { return make_monitor(port); }, top / "monitor.log");
  make_store();
  store_ = std::make_unique<ServerProcess>(
      [this](std::uint16_t port) {
        // It listens on several, and begins with the first.
        return ceph("ceph-osd", {"-i", "0", "-f", "--ms-bind-port-min", std::to_string(port),
                                 "--ms-bind-port-max", std::to_string(port + 50)});
      },
      top / "store.log");
  make_user();
  gateway_ = std::make_unique<ServerProcess>(
      [this](std::uint16_t port) {
        // Without the last setting, the end of an answer waits 40 ms for an acknowledgement.
        return ceph("radosgw",
                    {"-n", "client.admin", "-f", "--rgw-frontends",
                     "beast endpoint=127.0.0.1:" + std::to_string(port) + " tcp_nodelay=1"});
      },
      top / "gateway.log");
  make_bucket();
}

std::string S3Server::url() const {
  return "http://127.0.0.1:" + std::to_string(port());
}

std::vector<std::string> S3Server::make_monitor(std::uint16_t port) const {
  const fs::path data = scratch_.path() / "monitor";
  const std::string map = scratch_.path() / "monitors";
  fs::remove_all(data);
  fs::create_directory(data);
  write_settings(port);
  run({"monmaptool", "--create", "--clobber", "--fsid", kCluster, "--addv", "a",
       "[" + monitor_at(port) + "]", map});
  run(ceph("ceph-mon", {"-i", "a", "--mkfs", "--monmap", map}));
  return ceph("ceph-mon", {"-i", "a", "-f"});
}

void S3Server::make_store() const {
  fs::create_directory(scratch_.path() / "store");
  run(ceph("ceph", {"osd", "new", kStore}));
  run(ceph("ceph-osd", {"-i", "0", "--mkfs", "--osd-uuid", kStore}));
}

void S3Server::make_user() const {
  run(ceph("radosgw-admin", {"user", "create", "--uid=tester", "--display-name=tester",
                             "--access-key=" + access_key(), "--secret-key=" + secret_key()}));
}

void S3Server::make_bucket() const {
  run(rclone("mkdir", secret_key(), bucket()));
}

std::vector<std::string> S3Server::rclone(const std::string& verb, const std::string& secret,
                                          const std::string& place) const {
  // With that variable set, rclone does without S3.
  return {"env",
          "-u",
          "AWS_CA_BUNDLE",
          "rclone",
          "--config",
          "",
          verb,
          ":s3,provider=Other,endpoint='" + url() + "',access_key_id=" + access_key() +
              ",secret_access_key=" + secret + ":" + place};
}

void S3Server::write_settings(std::uint16_t monitor_port) const {
  const std::string top = scratch_.path();
  std::ofstream settings(scratch_.path() / "ceph.conf");
  settings << std::ifstream(kCephSettings).rdbuf() << "fsid = " << kCluster
           << "\nmon_host = " << monitor_at(monitor_port) << "\nmon_data = " << top
           << "/monitor\nosd_data = " << top << "/store\nrgw_data = " << top
           << "\nrun_dir = " << top << "\ncrash_dir = " << top << '\n';
}

std::vector<std::string> S3Server::ceph(const std::string& program,
                                        const std::vector<std::string>& words) const {
  std::vector<std::string> command = {program, "-c", scratch_.path() / "ceph.conf"};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

void S3Server::run(const std::vector<std::string>& command) const {
  run_program(command, scratch_.path() / "setup.log");
}

}  // namespace coffer::servers
