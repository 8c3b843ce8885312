#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/object_nodes.h"
#include "sql/connection.h"
#include "storage/names.h"

namespace coffer::catalog {

// Reads and changes of the table `versions`, for KeptVersions and for changes of nodes. Call
// changes in a transaction, which fails if the call does.

/// See storage::NameVersions, whose calls these are.
Result<std::vector<storage::PastVersion>> list_versions(sql::Connection& sql,
                                                        storage::NameTreeId tree, const Path& file);
Result<storage::VersionOfFile> find_version(sql::Connection& sql, storage::NameTreeId tree,
                                            storage::VersionId id);
Result<storage::NamedFile> open_version(sql::Connection& sql, storage::NameTreeId tree,
                                        storage::VersionId id);
/// `new_id` is a free id for the content that becomes a version.
Result<storage::Restored> restore_version(sql::Connection& sql, storage::NameTreeId tree,
                                          const Path& path, storage::VersionId id,
                                          const storage::WriteOptions& options,
                                          storage::VersionId new_id);
Result<std::uint64_t> remove_version(sql::Connection& sql, storage::NameTreeId tree,
                                     const Path& path, storage::VersionId id);
/// Removes some of the oldest versions, up to the first that makes it `bytes`. Returns what was
/// freed; 0 if there are none.
std::uint64_t free_oldest(sql::Connection& sql, storage::NameTreeId tree, std::uint64_t bytes);
/// See storage::NameVersions::expire. Each file may have `of_file` versions.
storage::Expired expire_versions(sql::Connection& sql, storage::NameTreeId tree, Timestamp before,
                                 std::size_t of_file);
/// Removes the oldest versions beyond kMostVersions, but not many. Returns what was freed.
std::uint64_t drop_excess_of_tree(sql::Connection& sql, storage::NameTreeId tree);

// For those that hold the lock of the file's path, or of the tree alone:

/// Inserts the content of a file as a version that was replaced now. The caller gives the node
/// another content, and adds the version to the node's figures.
void add_version(sql::Connection& sql, storage::NameTreeId tree, const Node& file,
                 storage::VersionId id, const storage::Author& by);
/// Deletes the oldest versions of the files beyond `most` each. Returns the bytes freed of each
/// file, in the order of `files`, which are sorted.
std::vector<std::uint64_t> drop_oldest(sql::Connection& sql, std::span<const std::int64_t> files,
                                       std::size_t most);
/// Deletes the versions of a file that is removed.
void drop_versions_of(sql::Connection& sql, std::int64_t file);
/// Does the same for many files, which are in a WholeTree::with_versions.
void drop_versions_of_all(sql::Connection& sql, std::string files);
/// Deletes all versions of a tree that is removed.
void drop_versions_in(sql::Connection& sql, std::int64_t tree);

}  // namespace coffer::catalog
