#pragma once

#include <memory>

#include "app/local_homes.h"
#include "app/settings.h"
#include "async/pool.h"
#include "catalog/catalog.h"
#include "core/homes.h"

namespace coffer::app {

/// What both the server and the commands beside it work with: the data folder, opened.
class Node {
 public:
  /// Makes the data folder (0700) where it is missing and opens the catalog. `failed` with one
  /// clear line.
  static Result<std::unique_ptr<Node>> open(const Settings& settings, std::size_t pool_threads);

  Pool& pool() { return pool_; }
  catalog::Catalog& catalog() { return *catalog_; }
  LocalHomes& homes() { return homes_; }

 private:
  Node(const Settings& settings, std::size_t pool_threads);

  Pool pool_;
  LocalHomes homes_;
  std::unique_ptr<catalog::Catalog> catalog_;
};

}  // namespace coffer::app
