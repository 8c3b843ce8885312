#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/connectors.h"
#include "catalog/keys.h"
#include "catalog/ledger.h"
#include "catalog/mounts.h"
#include "catalog/shares.h"
#include "catalog/tasks.h"

namespace coffer::catalog {

/// The database that holds everything but the files: SQLite in the data folder, or PostgreSQL.
class Catalog {
 public:
  /// `sqlite:///absolute/file` or `postgresql://…` (a libpq connection URI). Makes or migrates the
  /// schema. `failed` with one clear line when the database cannot be reached or is newer than this
  /// program.
  static Result<std::unique_ptr<Catalog>> open(const std::string& url);
  ~Catalog();

  Accounts& accounts();
  Keys& keys();
  Ledger& ledger();
  Shares& shares();
  Connectors& connectors();
  Mounts& mounts();
  Tasks& tasks();

 private:
  class Impl;
  explicit Catalog(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
