#include <atomic>

#include "backends/objects/object_backend.h"
#include "backends/objects/testing/memory_blobs.h"
#include "backends/objects/testing/memory_names.h"
#include "base/testing/scratch_folder.h"
#include "catalog/catalog.h"
#include "catalog/object_names.h"
#include "conformance/conformance.h"
#include "sql/testing/postgres_server.h"

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

/// Names in a catalog, which the tests share: each has a tree of its own.
class CatalogSubject final : public Subject {
 public:
  explicit CatalogSubject(catalog::Catalog& catalog) : CatalogSubject(catalog, ++last_tree_) {}
  storage::Backend& backend() override { return backend_; }

 private:
  CatalogSubject(catalog::Catalog& catalog, std::int64_t tree)
      : backend_(catalog.object_names(), blobs_, {tree}) {
    run(catalog.object_names().make_tree({tree}, "home" + std::to_string(tree))).value();
  }

  static inline std::atomic<std::int64_t> last_tree_ = 0;
  objects::MemoryBlobs blobs_;
  objects::ObjectBackend backend_;
};

std::unique_ptr<Subject> make_on_sqlite() {
  static const ScratchFolder folder;
  static const auto catalog =
      catalog::Catalog::open("sqlite://" + (folder.path() / "catalog.db").string()).value();
  return std::make_unique<CatalogSubject>(*catalog);
}

std::unique_ptr<Subject> make_on_postgres() {
  auto& server = sql::PostgresServer::shared();
  static const auto catalog = catalog::Catalog::open(server.make_database()).value();
  return std::make_unique<CatalogSubject>(*catalog);
}

Kind kind(std::string name, std::function<std::unique_ptr<Subject>()> make) {
  return {.name = std::move(name),
          .make = std::move(make),
          .keeps_modified_at = true,
          .keeps_open_content = true,
          .tells_blocks = false};
}

const auto kKinds = testing::Values(
    kind("NamesInMemory", [] { return std::make_unique<MemorySubject>(); }),
    kind("NamesOnSqlite", make_on_sqlite), kind("NamesOnPostgres", make_on_postgres));

INSTANTIATE_TEST_SUITE_P(Objects, BackendConformance, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(Objects, CopyConformance, kKinds, name_of);

}  // namespace
}  // namespace coffer::conformance
