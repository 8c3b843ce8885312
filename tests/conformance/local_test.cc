#include <filesystem>

#include "backends/local/local_backend.h"
#include "base/random.h"
#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

namespace fs = std::filesystem;

class LocalSubject final : public Subject {
 public:
  LocalSubject() {
    fs::create_directories(top_ / "root");
    backend_ = local::LocalBackend::open({top_ / "root", top_ / "staging", false}, pool_).value();
  }
  ~LocalSubject() override {
    backend_.reset();
    fs::remove_all(top_);
  }
  storage::Backend& backend() override { return *backend_; }

 private:
  const fs::path top_ = fs::temp_directory_path() / ("coffer-conformance-" + random_hex(8));
  Pool pool_{4};
  std::unique_ptr<local::LocalBackend> backend_;
};

const Kind kLocal{.name = "Local",
                  .make = [] { return std::make_unique<LocalSubject>(); },
                  .answers_now = true,
                  .keeps_modified_at = true,
                  .keeps_open_content = true};

INSTANTIATE_TEST_SUITE_P(Local, BackendConformance, testing::Values(kLocal), name_of);

}  // namespace
}  // namespace coffer::conformance
