#pragma once

#include <map>
#include <memory>
#include <shared_mutex>

#include "backends/objects/blobs.h"
#include "backends/objects/object_backend.h"
#include "base/id.h"
#include "catalog/object_names.h"
#include "core/namespace/mounts.h"

namespace coffer::mounts {

/// Home directories whose names are in the catalog and whose contents are in a store of objects.
/// Each account has a tree of names with its own id. Several servers may serve them.
class ObjectHomeDirectories final : public core::HomeDirectories {
 public:
  /// Both must outlive this object and its backends.
  ObjectHomeDirectories(catalog::ObjectNames& names, objects::Blobs& blobs)
      : names_(names), blobs_(blobs) {}

  /// Never fails. If the account has no tree, the backend's calls fail with `not_found`.
  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) override;
  Task<Result<std::shared_ptr<storage::Backend>>> find(const catalog::Account& account) override;
  Task<Result<void>> make(const catalog::Account& account) override;
  /// The objects of the files become garbage, which is removed later (see objects::remove_garbage).
  Result<void> purge(const catalog::Account& account) override;

 private:
  static storage::NameTreeId tree_of(const catalog::Account& account) { return {account.id.value}; }

  catalog::ObjectNames& names_;
  objects::Blobs& blobs_;
  std::shared_mutex mutex_;
  std::map<AccountId, std::shared_ptr<objects::ObjectBackend>> open_;
};

}  // namespace coffer::mounts
