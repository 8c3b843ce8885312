#include <filesystem>

#include "backends/local/local_backend.h"
#include "base/testing/scratch_folder.h"
#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

namespace fs = std::filesystem;

class LocalSubject final : public Subject {
 public:
  LocalSubject(local::LocalOptions options, local::StoreOptions store_options) {
    options.root = top_.path() / "root";
    fs::create_directories(options.root);
    store_options.data = top_.path();
    store_options.recovers = true;
    store_ = local::LocalStore::open(std::move(store_options), pool_).value();
    backend_ = local::LocalBackend::open(options, *store_).value();
    read_only_ = local::LocalBackend::open({.root = options.root}, *store_).value();
  }
  ~LocalSubject() override {
    read_only_.reset();
    backend_.reset();
    store_.reset();
  }
  storage::Backend& backend() override { return *backend_; }
  storage::Backend* read_only() override { return read_only_.get(); }

 private:
  const ScratchFolder top_;
  Pool pool_{4};
  std::unique_ptr<local::LocalStore> store_;
  std::unique_ptr<local::LocalBackend> backend_;
  std::unique_ptr<local::LocalBackend> read_only_;
};

Kind local_kind(std::string name, const local::LocalOptions& options,
                const local::StoreOptions& store_options = {}) {
  return {.name = std::move(name),
          .make = [=] { return std::make_unique<LocalSubject>(options, store_options); },
          .answers_now = true,
          .keeps_modified_at = true,
          .keeps_open_content = true};
}

const local::LocalOptions kInData{.collects = local::Collects::in_data};
const local::LocalOptions kInRoot{.collects = local::Collects::in_root};

const auto kKinds = testing::Values(
    local_kind("Durable", kInData), local_kind("InRoot", kInRoot),
    local_kind("Relaxed", {.collects = local::Collects::in_data, .durable = false}),
    local_kind("NamedFiles", kInData, {.allowed = {.unnamed_files = false}}),
    // As ZFS before 2.2, then NFS and CephFS, SMB and NTFS, exFAT and vfat, and some
    // file systems of FUSE.
    local_kind("NoRenameFlags", kInData, {.allowed = {.noreplace = false, .exchange = false}}),
    local_kind("LinksAlone", kInRoot,
               {.allowed = {.unnamed_files = false, .noreplace = false, .exchange = false}}),
    local_kind("NoExchange", kInRoot, {.allowed = {.unnamed_files = false, .exchange = false}}),
    local_kind("NoReplaceAlone", kInRoot,
               {.allowed = {.unnamed_files = false, .exchange = false, .hard_links = false}}),
    local_kind(
        "PlainRenameAlone", kInRoot,
        {.allowed = {
             .unnamed_files = false, .noreplace = false, .exchange = false, .hard_links = false}}));

INSTANTIATE_TEST_SUITE_P(Local, BackendConformance, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(Local, CopyConformance, kKinds, name_of);

INSTANTIATE_TEST_SUITE_P(Local, ReadOnlyConformance,
                         testing::Values(local_kind("ReadOnly", kInData)), name_of);

}  // namespace
}  // namespace coffer::conformance
