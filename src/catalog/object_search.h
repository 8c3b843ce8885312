#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/names.h"
#include "storage/tree_search.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

class Database;

/// Returns the folder's id; nullopt if so little is below it that listing it is as good.
/// `not_found` if it is missing; `invalid` if it is a file.
Result<std::optional<std::int64_t>> folder_to_search(sql::Connection& sql, storage::NameTreeId tree,
                                                     const Path& folder);

/// A search below a folder of ObjectNames. Reads the names of the whole tree in the order of their
/// ids from the index `nodes_by_tree`, and looks up the paths of those that fit. Each call looks at
/// so few names that other readers do not wait long.
class ObjectSearch final : public storage::TreeSearch {
 public:
  /// `database` must outlive the search.
  ObjectSearch(Database& database, storage::NameTreeId tree, std::int64_t folder,
               storage::TreeQuery query);

  Task<Result<storage::SearchPage>> next() override;

 private:
  Result<storage::SearchPage> look(sql::Connection& sql);

  Database& database_;
  const storage::NameTreeId tree_;
  const std::int64_t folder_;
  const storage::TreeQuery query_;
  std::int64_t after_ = 0;  ///< All names up to this id were looked at.
  std::size_t count_;       ///< The number of names that the next call looks at.
};

}  // namespace coffer::catalog
