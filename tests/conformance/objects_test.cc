#include "backends/objects/object_backend.h"
#include "backends/objects/testing/memory_blobs.h"
#include "backends/objects/testing/memory_names.h"
#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

class MemorySubject final : public Subject {
 public:
  storage::Backend& backend() override { return backend_; }

 private:
  objects::MemoryNames names_;
  objects::MemoryBlobs blobs_;
  objects::ObjectBackend backend_{names_, blobs_, {1}};
};

Kind kind(std::string name, std::function<std::unique_ptr<Subject>()> make) {
  return {.name = std::move(name),
          .make = std::move(make),
          .keeps_modified_at = true,
          .keeps_open_content = true,
          .tells_blocks = false};
}

const auto kKinds =
    testing::Values(kind("NamesInMemory", [] { return std::make_unique<MemorySubject>(); }));

INSTANTIATE_TEST_SUITE_P(Objects, BackendConformance, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(Objects, CopyConformance, kKinds, name_of);

}  // namespace
}  // namespace coffer::conformance
