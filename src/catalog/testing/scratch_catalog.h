#pragma once

#include <memory>
#include <string>
#include <utility>

#include "async/run.h"
#include "base/testing/scratch_folder.h"
#include "catalog/catalog.h"

namespace coffer::catalog {

/// An empty catalog on SQLite, deleted with the object.
class ScratchCatalog {
 public:
  ScratchCatalog() { reopen(); }

  Catalog& operator*() const { return *catalog_; }
  Catalog* operator->() const { return catalog_.get(); }

  /// Opens the database again, as a restart does.
  void reopen() {
    catalog_.reset();
    catalog_ = Catalog::open("sqlite://" + (folder_.path() / "catalog").string()).value();
  }
  Account add_account(std::string name, std::string password_hash = {}) {
    NewAccount account;
    account.name = std::move(name);
    account.password_hash = std::move(password_hash);
    return run(catalog_->accounts().add(std::move(account))).value();
  }

 private:
  const ScratchFolder folder_;
  std::unique_ptr<Catalog> catalog_;
};

}  // namespace coffer::catalog
