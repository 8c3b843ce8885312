#include "conformance/conformance.h"
#include "storage/testing/memory_backend.h"

namespace coffer::conformance {
namespace {

class MemorySubject final : public Subject {
 public:
  storage::Backend& backend() override { return backend_; }

 private:
  storage::MemoryBackend backend_;
};

const Kind kMemory{.name = "Memory",
                   .make = [] { return std::make_unique<MemorySubject>(); },
                   .answers_now = true,
                   .keeps_modified_at = true,
                   .keeps_open_content = true};

INSTANTIATE_TEST_SUITE_P(Memory, BackendConformance, testing::Values(kMemory), name_of);
INSTANTIATE_TEST_SUITE_P(Memory, CopyConformance, testing::Values(kMemory), name_of);

}  // namespace
}  // namespace coffer::conformance
