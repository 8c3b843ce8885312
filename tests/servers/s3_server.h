#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/testing/scratch_folder.h"
#include "servers/server_process.h"

namespace coffer::servers {

/// S3 by Ceph's gateway with one empty bucket, in a cluster of its own with one monitor and one
/// store, which keeps everything in memory. It wants the path style, and any region does.
class S3Server {
 public:
  S3Server();

  std::uint16_t port() const { return gateway_->port(); }
  /// Of the service, without a slash at the end.
  std::string url() const;
  static std::string bucket() { return "coffer-test"; }
  static std::string access_key() { return "tester"; }
  static std::string secret_key() { return "secret"; }
  /// A command of rclone with the settings to reach this: a place begins with a bucket.
  std::vector<std::string> rclone(const std::string& verb, const std::string& secret,
                                  const std::string& place) const;

 private:
  std::vector<std::string> make_monitor(std::uint16_t port) const;
  void make_store() const;
  void make_user() const;
  void make_bucket() const;
  void write_settings(std::uint16_t monitor_port) const;
  /// A program of Ceph, with the path of its settings.
  std::vector<std::string> ceph(const std::string& program,
                                const std::vector<std::string>& words) const;
  void run(const std::vector<std::string>& command) const;

  ScratchFolder scratch_;
  std::unique_ptr<ServerProcess> monitor_;
  std::unique_ptr<ServerProcess> store_;
  std::unique_ptr<ServerProcess> gateway_;
};

}  // namespace coffer::servers
