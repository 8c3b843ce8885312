#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "catalog/object_nodes.h"
#include "catalog/tree_changes.h"
#include "sql/connection.h"
#include "storage/names.h"

namespace coffer::catalog {

// Changes of the tables of ObjectNames. Call each in a transaction of its own, which fails if the
// call does.

/// Publishes files as Names::publish. `first_id` is the first of twice as many free ids as there
/// are files. Each file has at most `versions` versions; if that is 0, none is added. If the
/// transaction is committed, `published` has what was done.
Result<void> publish_files(sql::Connection& sql, storage::NameTreeId tree,
                           std::span<const storage::NewFile> files,
                           std::uint64_t growth_limit_bytes, std::size_t versions,
                           std::int64_t first_id, std::vector<storage::Published>& published);
/// Returns true if the files were published, once their transaction has ended.
Result<bool> were_published(sql::Connection& sql, storage::NameTreeId tree,
                            std::span<const storage::NewFile> files);

/// Makes a folder as Names::make_folder, with ids from `first_id` on.
Result<void> add_folders(sql::Connection& sql, storage::NameTreeId tree, const Path& top,
                         const Path& folder, std::int64_t first_id);

/// Sets the times of a folder as Names::set_times.
Result<void> set_folder_times(sql::Connection& sql, storage::NameTreeId tree, const Path& folder,
                              Timestamp created_at, Timestamp modified_at);

/// Renames as Names::rename. Returns false, and has done nothing, if the item is a folder and the
/// lock is shared.
Result<bool> rename_node(sql::Connection& sql, storage::NameTreeId tree, const Path& from,
                         const Path& to, TreeLock lock);

/// Removes as Names::remove. Returns nullopt, and has done nothing, if the item is a folder and the
/// lock is shared.
Result<std::optional<storage::TreeSize>> remove_node(sql::Connection& sql, storage::NameTreeId tree,
                                                     const Path& path, TreeLock lock);

/// Free ids for the nodes of a copy.
struct FreeIds {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
/// Copies as Names::copy. `conflict` if there are not enough ids, or if a content was removed
/// meanwhile.
Result<storage::TreeSize> copy_nodes(
    sql::Connection& sql, storage::NameTreeId tree, const Path& from, const Path& to, FreeIds ids,
    std::uint64_t limit_bytes,
    const std::function<Result<void>(const storage::TreeSize&)>& may_commit);

/// Lets what is directly in the tree be taken apart, whose row is removed in the same transaction.
void doom_all(sql::Connection& sql, std::int64_t tree);
/// Takes up to `most` items of a removed tree out of it, before a new tree gets its id. Returns
/// true if there may be more.
bool detach_removed(sql::Connection& sql, std::int64_t tree, std::size_t most);

/// See Names::take_apart_removed.
Result<bool> take_apart(sql::Connection& sql, std::size_t most);
/// See Names::release_contents, with at most `most_objects` objects. A content that has more is
/// gone from the first of its objects on: then the table `loose` has its negative id, by which
/// copies know it, until all its objects are garbage.
Result<bool> release_loose(sql::Connection& sql, std::size_t most, std::size_t most_objects);
/// See Names::garbage. `run` is the run of this process.
std::vector<std::string> old_garbage(sql::Connection& sql, std::chrono::seconds grace,
                                     std::size_t most, const std::string& run);
/// Makes drawn objects part of a content or an upload. `failed` if one of them is garbage or has
/// become part of another.
Result<void> claim_objects(sql::Connection& sql, std::span<const std::string> objects);
/// Makes the objects of deleted rows of `upload_segments` garbage, which are in their first column.
/// Who deletes such a row decides what becomes of its object, and nobody else does. Returns the
/// number of rows.
std::size_t release_objects(sql::Connection& sql, const std::vector<sql::Row>& deleted);
/// Makes objects garbage that no content has got.
void discard_objects(sql::Connection& sql, std::span<const std::string> objects);

}  // namespace coffer::catalog
