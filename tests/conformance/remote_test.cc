#include "backends/remote/testing/memory_remote.h"
#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

using remote::Capabilities;
using remote::Replaces;

class RemoteSubject final : public Subject {
 public:
  explicit RemoteSubject(const Capabilities& can) : backend_(can) {}
  storage::Backend& backend() override { return backend_; }

 private:
  remote::MemoryRemote backend_;
};

Kind remote_kind(std::string name, const Capabilities& can) {
  return {.name = std::move(name),
          .make = [can] { return std::make_unique<RemoteSubject>(can); },
          .keeps_modified_at = true,
          .stages_in_sight = true,
          .keeps_open_content = true};
}

const auto kKinds = testing::Values(
    remote_kind("Bare", {}), remote_kind("Replacing", {.replaces = Replaces::surely}),
    remote_kind("Linking", {.replaces = Replaces::surely, .links = true}),
    remote_kind("ByName", {.changes_case = false}));

INSTANTIATE_TEST_SUITE_P(Remote, BackendConformance, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(Remote, CopyConformance, kKinds, name_of);

}  // namespace
}  // namespace coffer::conformance
