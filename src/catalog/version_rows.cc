#include "catalog/version_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "catalog/row_limits.h"
#include "catalog/tree_changes.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

using storage::NameTreeId;
using storage::PastVersion;
using storage::VersionId;

/// The rows of one transaction that deletes versions of many files.
constexpr std::size_t kMostAtOnce = 1000;
constexpr std::size_t kMostFiles = 50;

/// The columns of a PastVersion, with the prefix `v.`.
constexpr std::string_view kColumns =
    "v.id, v.size_bytes, v.modified_at, v.replaced_at, v.by_account, v.by_key";
constexpr std::size_t kColumnCount = 6;

PastVersion read_version(const sql::Row& row, std::size_t first) {
  return {.id = {row.get<std::int64_t>(first)},
          .size_bytes = row.get<std::uint64_t>(first + 1),
          .modified_at = row.get<Timestamp>(first + 2),
          .replaced_at = row.get<Timestamp>(first + 3),
          .by = {row.get<std::string>(first + 4), row.get<std::string>(first + 5)}};
}

std::unexpected<Error> no_such_version() {
  return fail(ErrorCode::not_found, "There is no such version.");
}

/// What was deleted, by the id of the file.
struct Dropped {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};
using DroppedOf = std::map<std::int64_t, Dropped>;

std::uint64_t bytes_of(const DroppedOf& dropped) {
  std::uint64_t bytes = 0;
  for (const auto& [file, of_file] : dropped) bytes += of_file.bytes;
  return bytes;
}

/// Deletes those versions, and waits for nothing.
void delete_versions(sql::Connection& sql, std::string_view which, std::int64_t argument) {
  loosen(sql, fmt::format("SELECT content FROM versions WHERE {}", which), sql::to_value(argument));
  sql.run(fmt::format("DELETE FROM versions WHERE {}", which), argument);
}

/// Deletes the versions of a query for their ids, whose arguments are these. Their files know it.
DroppedOf drop(sql::Connection& sql, std::string_view ids, std::vector<sql::Value> arguments) {
  const auto rows = sql.query_values(
      fmt::format("DELETE FROM versions WHERE id IN ({}) RETURNING node, content, size_bytes", ids),
      std::move(arguments));
  DroppedOf dropped;
  std::vector<std::int64_t> contents;
  for (const sql::Row& row : rows) {
    Dropped& of_file = dropped[row.get<std::int64_t>(0)];
    ++of_file.count;
    of_file.bytes += row.get<std::uint64_t>(2);
    contents.push_back(row.get<std::int64_t>(1));
  }
  loosen(sql, contents);
  for (const auto& [file, of_file] : dropped) {
    sql.run(
        "UPDATE nodes SET versions = versions - $2, version_bytes = version_bytes - $3 "
        "WHERE id = $1",
        file, of_file.count, of_file.bytes);
  }
  return dropped;
}

/// A query for the ids of the versions of the files that $1 is a list of, beyond the first $2.
std::string beyond_in(const sql::Connection& sql) {
  return fmt::format(
      "SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY node "
      "ORDER BY replaced_at DESC, id DESC) AS place FROM versions WHERE {}) AS placed "
      "WHERE place > $2",
      is_in(sql, "node", ListOf::numbers, 1));
}

/// A file, and the version of it that is to be restored or removed.
struct Chosen {
  Node file;
  PastVersion version;
  std::int64_t content = 0;
};

Result<Chosen> choose(sql::Connection& sql, NameTreeId tree, const Path& file, VersionId id) {
  lock_tree(sql, tree, TreeLock::shared, {file});
  TRY(const auto place, walk(sql, tree, file));
  if (place.item() == nullptr) return no_such_version();
  const auto row = sql.first(
      fmt::format("SELECT {}, v.content FROM versions v WHERE v.id = $1 AND v.node = $2", kColumns),
      id, place.item()->id);
  if (!row) return no_such_version();
  return Chosen{*place.item(), read_version(*row, 0), row->get<std::int64_t>(kColumnCount)};
}

}  // namespace

Result<std::vector<PastVersion>> list_versions(sql::Connection& sql, NameTreeId tree,
                                               const Path& file) {
  TRY(const auto place, walk(sql, tree, file));
  if (place.item() == nullptr) return storage::no_such_item();
  if (place.item()->is_folder()) return fail(ErrorCode::invalid, "This is a folder.");
  std::vector<PastVersion> versions;
  if (place.item()->versions == 0) return versions;
  const auto rows = sql.query(fmt::format("SELECT {} FROM versions v WHERE v.node = $1 "
                                          "ORDER BY v.replaced_at DESC, v.id DESC",
                                          kColumns),
                              place.item()->id);
  for (const sql::Row& row : rows) versions.push_back(read_version(row, 0));
  return versions;
}

Result<storage::VersionOfFile> find_version(sql::Connection& sql, NameTreeId tree, VersionId id) {
  const auto rows = sql.query(
      fmt::format("WITH RECURSIVE above (id, parent, name, height) AS (SELECT n.id, n.parent, "
                  "n.name, 0 FROM versions v JOIN nodes n ON n.id = v.node WHERE v.id = $1 AND "
                  "v.tree = $2 UNION ALL SELECT n.id, n.parent, n.name, a.height + 1 FROM above a "
                  "JOIN nodes n ON n.id = a.parent) "
                  "SELECT a.parent, a.name, {} FROM above a JOIN versions v ON v.id = $1 "
                  "ORDER BY a.height DESC",
                  kColumns),
      id, tree);
  if (rows.empty() || rows[0].get<std::int64_t>(0) != root_of(tree)) return no_such_version();
  Path file;
  for (const sql::Row& row : rows) {
    TRY(const auto name, Path::parse(row.get<std::string>(1)));
    file = file / name;
  }
  return storage::VersionOfFile{std::move(file), read_version(rows[0], 2)};
}

Result<storage::NamedFile> open_version(sql::Connection& sql, NameTreeId tree, VersionId id) {
  const auto rows = sql.query(
      "SELECT n.name, v.content, v.size_bytes, v.modified_at, v.replaced_at, c.bytes, s.object, "
      "s.size_bytes, s.sha256 FROM versions v JOIN nodes n ON n.id = v.node "
      "JOIN contents c ON c.id = v.content LEFT JOIN segments s ON s.content = c.id "
      "WHERE v.id = $1 AND v.tree = $2 ORDER BY s.seq",
      id, tree);
  if (rows.empty()) return no_such_version();
  const sql::Row& row = rows[0];
  const Node file{.id = 1,
                  .name = row.get<std::string>(0),
                  .content = row.get<std::int64_t>(1),
                  .size_bytes = row.get<std::uint64_t>(2),
                  .created_at = row.get<Timestamp>(3),
                  .modified_at = row.get<Timestamp>(3)};
  storage::StoredContent content{.id = {*file.content}};
  const auto bytes = row.get<std::optional<std::string>>(5);
  if (bytes) content.bytes = from_hex(*bytes);
  for (const sql::Row& segment : rows) {
    if (!bytes) content.segments.push_back(read_segment(segment, 6));
  }
  return named_file(file, std::move(content));
}

Result<storage::Restored> restore_version(sql::Connection& sql, NameTreeId tree, const Path& path,
                                          VersionId id, const storage::WriteOptions& options,
                                          VersionId new_id) {
  TRY(const auto chosen, choose(sql, tree, path, id));
  const Node& old = chosen.file;
  TRY_VOID(storage::check_taken(options, version_of(old.entry())));
  Node file = old;
  file.content = chosen.content;
  file.size_bytes = chosen.version.size_bytes;
  file.created_at = now();
  file.modified_at = chosen.version.modified_at;
  --file.versions;
  file.version_bytes -= chosen.version.size_bytes;
  const bool is_same = old.content == file.content;
  const bool stays = old.size_bytes > 0 && !is_same;
  if (stays) {
    add_version(sql, tree, old, new_id, options.by);
    ++file.versions;
    file.version_bytes += old.size_bytes;
  } else if (!is_same) {
    loosen(sql, {*old.content});
  }
  sql.run("DELETE FROM versions WHERE id = $1", id);
  sql.run(
      "UPDATE nodes SET content = $2, size_bytes = $3, created_at = $4, modified_at = $5, "
      "versions = $6, version_bytes = $7 WHERE id = $1",
      file.id, *file.content, file.size_bytes, file.created_at, file.modified_at, file.versions,
      file.version_bytes);
  return storage::Restored{file.entry(), is_same ? chosen.version.size_bytes : 0};
}

Result<std::uint64_t> remove_version(sql::Connection& sql, NameTreeId tree, const Path& path,
                                     VersionId id) {
  TRY(const auto chosen, choose(sql, tree, path, id));
  delete_versions(sql, "id = $1", id.value);
  sql.run(
      "UPDATE nodes SET versions = versions - 1, version_bytes = version_bytes - $2 WHERE id = $1",
      chosen.file.id, chosen.version.size_bytes);
  return chosen.version.size_bytes;
}

std::uint64_t free_oldest(sql::Connection& sql, NameTreeId tree, std::uint64_t bytes) {
  lock_tree(sql, tree, TreeLock::alone, {});
  const auto rows = sql.query(
      "SELECT id, size_bytes FROM versions WHERE tree = $1 ORDER BY replaced_at, id LIMIT $2", tree,
      kMostAtOnce);
  std::vector<std::int64_t> ids;
  std::uint64_t sum = 0;
  for (const sql::Row& row : rows) {
    if (sum >= bytes) break;
    ids.push_back(row.get<std::int64_t>(0));
    sum += row.get<std::uint64_t>(1);
  }
  if (ids.empty()) return 0;
  return bytes_of(drop(sql, each_of(sql, ListOf::numbers, 1), {list_argument(sql, ids)}));
}

std::uint64_t drop_excess_of_tree(sql::Connection& sql, NameTreeId tree) {
  return bytes_of(
      drop(sql,
           "SELECT id FROM versions WHERE tree = $1 "
           "ORDER BY replaced_at DESC, id DESC LIMIT $2 OFFSET $3",
           {sql::to_value(tree), sql::to_value(kMostAtOnce), sql::to_value(kMostVersions)}));
}

storage::Expired expire_versions(sql::Connection& sql, NameTreeId tree, Timestamp before,
                                 std::size_t of_file) {
  lock_tree(sql, tree, TreeLock::alone, {});
  const auto old = drop(sql,
                        "SELECT id FROM versions WHERE tree = $1 AND replaced_at < $2 "
                        "ORDER BY replaced_at, id LIMIT $3",
                        {sql::to_value(tree), sql::to_value(before), sql::to_value(kMostAtOnce)});
  const std::uint64_t excess = drop_excess_of_tree(sql, tree);
  std::vector<std::int64_t> files;
  for (const sql::Row& row : sql.query("SELECT node FROM versions WHERE tree = $1 GROUP BY node "
                                       "HAVING count(*) > $2 ORDER BY node LIMIT $3",
                                       tree, of_file, kMostFiles)) {
    files.push_back(row.get<std::int64_t>(0));
  }
  storage::Expired expired{.freed_bytes = bytes_of(old) + excess,
                           .is_more = !old.empty() || excess > 0 || !files.empty()};
  for (const std::uint64_t bytes : drop_oldest(sql, files, of_file)) expired.freed_bytes += bytes;
  return expired;
}

void add_version(sql::Connection& sql, NameTreeId tree, const Node& file, VersionId id,
                 const storage::Author& by) {
  sql.run(
      "INSERT INTO versions (id, tree, node, content, size_bytes, modified_at, replaced_at, "
      "by_account, by_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      id, tree, file.id, *file.content, file.size_bytes, file.modified_at, now(), by.account,
      by.key);
}

std::vector<std::uint64_t> drop_oldest(sql::Connection& sql, std::span<const std::int64_t> files,
                                       std::size_t most) {
  std::vector<std::uint64_t> freed(files.size());
  if (files.empty()) return freed;
  const auto dropped = drop(sql, beyond_in(sql), {list_argument(sql, files), sql::to_value(most)});
  for (const auto& [file, of_file] : dropped) {
    const auto found = std::ranges::find(files, file);
    freed[static_cast<std::size_t>(found - files.begin())] = of_file.bytes;
  }
  return freed;
}

void drop_versions_of(sql::Connection& sql, std::int64_t file) {
  delete_versions(sql, "node = $1", file);
}

void drop_versions_of_all(sql::Connection& sql, std::string files) {
  const std::string which = is_in(sql, "node", ListOf::numbers, 1);
  std::vector<std::int64_t> contents;
  for (const sql::Row& row :
       sql.query_values(fmt::format("DELETE FROM versions WHERE {} RETURNING content", which),
                        {std::move(files)})) {
    contents.push_back(row.get<std::int64_t>(0));
  }
  loosen(sql, contents);
}

void drop_versions_in(sql::Connection& sql, std::int64_t tree) {
  delete_versions(sql, "tree = $1", tree);
}

}  // namespace coffer::catalog
