#include <string>

#include "backends/rclone/door.h"
#include "backends/rclone/drive_backend.h"
#include "backends/rclone/engine.h"
#include "base/random.h"
#include "conformance/conformance.h"
#include "servers/apache_dav.h"
#include "servers/rclone_dav.h"
#include "servers/s3_server.h"
#include "servers/scratch.h"

namespace coffer::conformance {
namespace {

using rclone::DriveOptions;

/// What all backends of a process share.
struct Rclone {
  servers::Scratch scratch;
  rclone::Engine engine{{.folder = scratch.path() / "engine"}};
  rclone::Door door;
  Pool pool{4};

  static Rclone& shared() {
    static Rclone rclone;
    return rclone;
  }
};

/// A folder of its own for each test.
class DriveSubject final : public Subject {
 public:
  explicit DriveSubject(DriveOptions options) {
    Rclone& rclone = Rclone::shared();
    options.spool = rclone.scratch.path();
    backend_ =
        rclone::DriveBackend::open(std::move(options), rclone.engine, rclone.door, rclone.pool)
            .value();
  }
  storage::Backend& backend() override { return *backend_; }

 private:
  std::unique_ptr<rclone::DriveBackend> backend_;
};

template <class Server>
Kind dav(std::string name, int large_folder) {
  return {.name = std::move(name),
          .make = []() -> std::unique_ptr<Subject> {
            static Server server;
            DriveOptions options{.config = {"webdav",
                                            {{"url", server.url()},
                                             {"vendor", "other"},
                                             {"user", "tester"},
                                             {"pass", "secret"}}}};
            options.root = server.make_folder();
            return std::make_unique<DriveSubject>(std::move(options));
          },
          .stages_in_sight = true,
          .tells_blocks = false,
          .large_folder = large_folder};
}

Kind s3() {
  return {
      .name = "S3",
      .make = []() -> std::unique_ptr<Subject> {
        static servers::S3Server server;
        DriveOptions options{.config = {"s3",
                                        {{"provider", "Ceph"},
                                         {"endpoint", server.url()},
                                         {"access_key_id", servers::S3Server::access_key()},
                                         {"secret_access_key", servers::S3Server::secret_key()}}}};
        options.root = servers::S3Server::bucket() + "/" + random_hex(8);
        return std::make_unique<DriveSubject>(std::move(options));
      },
      .stages_in_sight = true,
      .tells_blocks = false};
}

INSTANTIATE_TEST_SUITE_P(Drive, BackendConformance,
                         // rclone's server looks at each item anew for each item of a listing.
                         testing::Values(dav<servers::ApacheDav>("ApacheDav", 300),
                                         dav<servers::RcloneDav>("RcloneDav", 30), s3()),
                         name_of);

}  // namespace
}  // namespace coffer::conformance
