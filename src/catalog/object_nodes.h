#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "sql/connection.h"
#include "storage/names.h"

namespace coffer::catalog {

// Reads of the table `nodes` and of what belongs to it, for ObjectNames. All take one round trip.

/// A folder or a file.
struct Node {
  std::int64_t id = 0;  ///< Negative for the root of a tree.
  std::string name;
  std::optional<std::int64_t> content;  ///< Of a file.
  std::uint64_t size_bytes = 0;
  Timestamp created_at{};
  Timestamp modified_at{};
  std::uint64_t versions = 0;       ///< The number of a file's versions.
  std::uint64_t version_bytes = 0;  ///< The sum of their sizes.

  bool is_folder() const { return !content; }
  storage::Entry entry() const;
};

/// Reads a node from the columns `id`, `name`, `content`, `size_bytes`, `created_at` and
/// `modified_at`, of which `first` is the number of the first.
Node read_node(const sql::Row& row, std::size_t first);

/// The nodes on a path, from the root to the last that exists.
struct Walk {
  std::vector<Node> nodes = {};
  std::size_t depth = 0;  ///< The depth of the path.

  /// Returns the node at a depth; null if it is missing. The root has the depth 0.
  const Node* at(std::size_t at_depth) const {
    return at_depth < nodes.size() ? &nodes[at_depth] : nullptr;
  }
  const Node* item() const { return at(depth); }
  /// Returns what the item of the path is in. The path is not the root.
  const Node* folder() const { return at(depth - 1); }
};

/// Walks along all paths at once. `not_found` if there is no such tree.
Result<std::vector<Walk>> walk(sql::Connection& sql, storage::NameTreeId tree,
                               std::span<const Path> paths);
Result<Walk> walk(sql::Connection& sql, storage::NameTreeId tree, const Path& path);

/// Returns up to `most` items of the folder, sorted, that come behind the name `after`. `invalid`
/// if the path is a file's.
Result<std::vector<storage::Entry>> children(sql::Connection& sql, storage::NameTreeId tree,
                                             const Path& folder, const std::string& after,
                                             std::size_t most);
/// Returns a file with its content; `invalid` for a folder.
Result<storage::NamedFile> open_file(sql::Connection& sql, storage::NameTreeId tree,
                                     const Path& file);
/// Returns a file with its content, whose size is that of its bytes or segments.
storage::NamedFile named_file(const Node& node, storage::StoredContent content);
/// Returns the files of the folder that have these contents, which are in the database.
Result<std::vector<storage::NamedFile>> open_small_files(
    sql::Connection& sql, storage::NameTreeId tree, const Path& folder,
    std::span<const storage::ContentId> contents);

/// Returns the size of a node and of all below it. Leaves out what has a hidden name below it.
storage::TreeSize size_of(sql::Connection& sql, const Node& node);

/// A node and all below it, also what has a hidden name.
struct WholeTree {
  storage::TreeSize size;
  std::string with_versions;  ///< The files that have versions, like a `list_argument`.
};
WholeTree whole_tree(sql::Connection& sql, const Node& node);

/// Returns the hexadecimal digits of bytes behind `\x`, as PostgreSQL writes them.
std::string hex_value(std::string_view bytes);
/// Returns the bytes. Throws sql::Failure for other texts.
std::string from_hex(std::string_view text);

/// Reads a segment from the columns `object`, `size_bytes` and `sha256`, of which `first` is the
/// number of the first.
storage::Segment read_segment(const sql::Row& row, std::size_t first);
/// Returns the hash of a segment as the database stores it.
std::string segment_hash(const storage::Segment& segment);

/// Returns the root's id.
inline std::int64_t root_of(storage::NameTreeId tree) {
  return -tree.value;
}

/// Returns values as one argument of a statement, for `is_in` and `each_of`.
template <class Values>
std::string list_argument(const sql::Connection& sql, const Values& values) {
  std::string list = sql.is_sqlite() ? "[" : "{";
  for (const auto& value : values) {
    if (list.size() > 1) list += ',';
    list += fmt::format("\"{}\"", value);
  }
  return list + (sql.is_sqlite() ? "]" : "}");
}
/// The kinds of values of a list: numbers, and ids of objects.
enum class ListOf : std::uint8_t { numbers, objects };
/// Returns an SQL condition: the value is in the list of the parameter `number`.
std::string is_in(const sql::Connection& sql, std::string_view value, ListOf kind, int number);
/// Returns an SQL query of the values in the list of the parameter `number`, in the column `value`.
std::string each_of(const sql::Connection& sql, ListOf kind, int number);
/// Returns what joins `below b` to its children `n`, in a recursive query. PostgreSQL looks them up
/// folder by folder, since it would read the whole table while that is small.
std::string_view join_children(const sql::Connection& sql);
/// Returns an SQL expression: the time of the database's clock.
std::string_view database_time(const sql::Connection& sql);
/// Returns what locks the rows of a query; nothing on SQLite, where one transaction writes at a
/// time.
std::string_view for_update(const sql::Connection& sql, bool skips_locked = false);

}  // namespace coffer::catalog
