#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/path.h"
#include "sql/connection.h"
#include "storage/names.h"

namespace coffer::catalog {

// What all changes of trees of names have in common. Call each in a transaction. None takes a round
// trip.

/// What other transactions on a tree wait for.
enum class TreeLock : std::uint8_t {
  shared,  ///< Those that change the same paths, or rename or remove folders.
  alone,   ///< All.
};
/// Takes the locks of ObjectNames. Paths of which there are many are locked by the tree alone.
void lock_tree(sql::Connection& sql, storage::NameTreeId tree, TreeLock lock,
               std::vector<Path> paths);

/// Notes contents that may have lost their last name. The query has the column
/// `content`, which may be NULL, and one argument.
void loosen(sql::Connection& sql, std::string_view query, sql::Value argument);
void loosen(sql::Connection& sql, const std::vector<std::int64_t>& contents);

}  // namespace coffer::catalog
