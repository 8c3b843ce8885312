#include <string>

#include "conformance/conformance.h"
#include "conformance/drive_fixture.h"

namespace coffer::conformance {
namespace {

/// A folder of its own for each test.
class DriveSubject final : public Subject {
 public:
  explicit DriveSubject(rclone::DriveOptions options) {
    static Rclone rclone(rclone::Patience{});  // As it is used: no server fails here on purpose.
    backend_ = rclone.open(std::move(options));
  }
  storage::Backend& backend() override { return *backend_; }

 private:
  std::unique_ptr<rclone::DriveBackend> backend_;
};

template <auto Options>
Kind drive(std::string name, int large_folder = 300) {
  return {.name = std::move(name),
          .make = []() -> std::unique_ptr<Subject> {
            return std::make_unique<DriveSubject>(Options());
          },
          .stages_in_sight = true,
          .tells_blocks = false,
          .large_folder = large_folder};
}

// For each item of a listing rclone's server looks at all of them anew.
const auto kKinds = testing::Values(drive<on_apache>("ApacheDav"),
                                    drive<on_rclone_dav>("RcloneDav", 30), drive<on_s3>("S3"));

INSTANTIATE_TEST_SUITE_P(Drive, BackendConformance, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(Drive, CopyConformance, kKinds, name_of);

}  // namespace
}  // namespace coffer::conformance
